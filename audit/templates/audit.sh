#!/usr/bin/env bash
# Runs "pulumi-event-datasets audit" of this package with options from environment variables. Lists have one item per line.
set -uo pipefail

report=$(mktemp)
said=$(mktemp)
trap 'rm -f "$report" "$said"' EXIT

finish() { # exit code, reason
  local result=unknown reason="${2:-see the log of this step}" line
  case $1 in
    0) result=passed ;;
    1)
      result=failed
      echo "::error title=Audit of API tokens::failed: see the summary of the step"
      ;;
    *)
      line="${reason//%/%25}" # the runner decodes it
      echo "::error title=Audit of API tokens::could not check: ${line//$'\r'/}"
      # A code span, because the reason can be a text of the service.
      printf '## API tokens: could not check\n\nThe audit has no result: `%s`.\n' "${reason//\`/\'}" >"$report"
      ;;
  esac
  if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then cat "$report" >>"$GITHUB_STEP_SUMMARY"; fi
  if [[ -n ${GITHUB_OUTPUT:-} ]]; then echo "result=$result" >>"$GITHUB_OUTPUT"; fi
  exit "$1"
}

args=()
add_each() { # option, list
  local item
  while IFS= read -r item; do
    item="${item#"${item%%[![:space:]]*}"}"
    item="${item%"${item##*[![:space:]]}"}"
    if [[ -n $item ]]; then args+=("$1=$item"); fi
  done <<<"$2"
}
add_each --stack "${AUDIT_STACKS:-}"
case ${AUDIT_ALL_STACKS:-} in
  true) args+=(--all-stacks) ;;
  false | "") ;;
  *) finish 2 "the input all-stacks must be true or false" ;;
esac
add_each --state "${AUDIT_STATES:-}"
add_each --policy "${AUDIT_POLICY:-}"
add_each --expiring-within "${AUDIT_EXPIRING_WITHIN:-}"
add_each --fail-on "${AUDIT_FAIL_ON:-}"
add_each --output "${AUDIT_OUTPUTS:-}"
args+=(--output=table "--output=markdown=$report")

# Only the code beside this file: the environment holds an access token, so nothing is fetched from a registry.
main="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/dist/cli/main.js"
[[ -f $main ]] || finish 2 "the action is not built: use it from the installed package (./node_modules/pulumi-event-datasets)"
cd "${AUDIT_CWD:-.}" || finish 2 "the input cwd is not a folder"

{ node "$main" audit "${args[@]}" 2>&1 >&3 | tee "$said" >&2; code=${PIPESTATUS[0]}; } 3>&1
# An exit code is no verdict: Node.js ends with 1 if it cannot start. A report is.
if [[ $code == [01] && ! -s $report ]]; then finish 2 "it ended before it had written its report: see the log of this step"; fi
# The last message of the command is why it could not check.
reason=$(grep '^pulumi-event-datasets: ' "$said" | tail -n 1)
finish "$code" "${reason#pulumi-event-datasets: }"
