import { expect, test } from "@jest/globals";
import { audit } from "../../support/stackAudit";
import { forms } from "../../support/program";
import { declare, deploy, expiresAt, idsOf, liveIds, rights } from "./world";

// An update that failed has created new tokens, and the engine has not deleted the old ones yet. In a program in Node.js nothing is
// deleted then: tests/native/languages/pendingTokens.test.ts has the programs that end well although a resource failed.

const common = `expiresAt: "${expiresAt}", ${rights}`;

/** Tokens, and one consumer. */
const program = ({ round = 1, adopt = "", kept = "", adopted = "rotation: { triggers: { round: ROUND } }" }) =>
  `const ids: Record<string, string> = ${JSON.stringify({})};
inBothForms((form, { ApiToken, Annotation }) => {
  const round = { rotation: { triggers: { round: ${round} } } };
  const plain = new ApiToken(form + "-plain", { ${common}, ...round });
  new ApiToken(form + "-kept", { ${common}, ...round, ${kept} });
  ${adopted};
  ${adopt}
  new Annotation(form + "-consumer", { datasets: ["web"], title: plain.id });
});`;
