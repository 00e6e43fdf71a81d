import { type DatasetRecord, EventDatasets, scalar } from "../../sdk";

/** The declarations of a scene's program. */
export interface Declared {
  readonly set: number;
  readonly generation: number;
  /** Counts the names of the dataset whose name is chosen: a dataset that a destroy leaves has its name. */
  readonly name: number;
  readonly isAdopted: boolean;
}

/** One dataset changes in place and keeps its events; the other is replaced and removed, and its events may go. */
export const declareDatasets = ({
  set,
  generation,
  name,
  isAdopted,
}: Declared): string => `new Dataset("kept", { name: "kept-${name}", description: "${generation}"${isAdopted ? ", adopt: true" : ""} });
new Dataset("doomed${set}", { deleteEvents: true, kind: "${generation % 2 === 0 ? "axiom:events:v1" : "otel:logs:v1"}" });
`;

/** The error of a create whose dataset an update that was killed had created. */
export const asksToAdopt = (printed: string): boolean => /dataset kept-\d+ exists, declare adopt: true/.test(printed);

/** The warning about a dataset that an update deleted which was killed. */
export const asksToRefresh = (printed: string): boolean =>
  /dataset \S+ is in the state but no longer exists\. To create it again, run "pulumi refresh"/.test(printed);

/** Whether the name of a dataset was chosen: a later update sends its create again. */
export const isChosen = (name: string): boolean => name.startsWith("kept-");

/** A dataset with the number of its events. The time of creation is a part of what it is called here. */
type Counts = ReadonlyMap<string, number>;
const describe = ({ id, created }: DatasetRecord): string => `${id} ${created}`;

export interface RecordedDataset {
  readonly name: string;
  readonly id: string;
  readonly createdAt: string | undefined;
}

/** The datasets of a service with their events, before and after a kill. */
export class Events {
  readonly #connection: { readonly baseUrl: string; readonly accessToken: string; readonly profile: "extended" };
  #before: Counts = new Map();

  constructor(baseUrl: string, accessToken: string) {
    this.#connection = { baseUrl, accessToken, profile: "extended" };
  }

  /** Adds an event to each dataset, and notes how many it has. */
  async add(): Promise<void> {
    await using client = new EventDatasets(this.#connection);
    const { baseUrl, accessToken } = this.#connection;
    const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
    for (const { id } of await client.datasets.list()) {
      const url = `${baseUrl}/v1/datasets/${id}/ingest`;
      const { status } = await fetch(url, { method: "POST", headers, body: '[{ "n": 1 }]' });
      if (status !== 200) throw new Error(`${url}: ${status}`);
    }
    this.#before = await this.#count(client);
  }

  /**
   * Promises after the last `up`: what is declared exists, and events went only with a recorded word. Deletes the datasets that no state
   * has, so that a run does not count ever more of them.
   */
  async judge(declared: readonly string[], recorded: readonly RecordedDataset[]): Promise<string[]> {
    await using client = new EventDatasets(this.#connection);
    const after = await this.#count(client);
    const names = recorded.map(({ name }) => name).sort();
    const tracked = new Set(recorded.map(({ id, createdAt: created }) => describe({ id, created } as DatasetRecord)));
    const lost = [...this.#before].flatMap(([one, count]) => {
      const left = after.get(one);
      if (isChosen(one) || left !== undefined)
        return (left ?? 0) < count ? [`${one} had ${count} events, now ${left}`] : [];
      return [];
    });
    const kept = [...this.#before.keys()].filter((one) => !isChosen(one) && after.has(one) && !tracked.has(one));
    for (const { id, ...rest } of await client.datasets.list())
      if (!tracked.has(describe({ id, ...rest } as DatasetRecord))) await client.datasets.delete(id);
    return [
      ...(names.join() === [...declared].sort().join() ? [] : [`the state has the datasets ${names.join()}`]),
      ...[...tracked].filter((one) => !after.has(one)).map((one) => `the service does not have the dataset ${one}`),
      ...lost,
      ...kept.map((one) => `the dataset ${one} was left, although its deletion is recorded`),
    ];
  }

  async #count(client: EventDatasets): Promise<Counts> {
    const counts = new Map<string, number>();
    for (const one of await client.datasets.list()) {
      const result = await client.queries.apl({ apl: `['${one.id}'] | summarize count()` });
      counts.set(describe(one), Number(scalar(result)));
    }
    return counts;
  }
}
