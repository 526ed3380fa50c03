import { OrganizationId, type TaskName } from "@parley/domain"
import { Schema } from "effect"

/** What a process has to tell others: each thing once, however often it happened meanwhile. */
export interface News {
  /** In whose logs there are new events. */
  readonly logs: Set<OrganizationId>
  /** In which shards of a work lanes were opened. */
  readonly lanes: Map<TaskName, Set<number>>
  areShardsFree: boolean
}

/** There is nothing to tell yet. */
export const noNews = (): News => ({ logs: new Set(), lanes: new Map(), areShardsFree: false })

/** Adds shards of a work in which lanes were opened. */
export const addShard = ({ lanes }: News, work: TaskName, shard: number) => {
  const shards = lanes.get(work)
  if (shards === undefined) lanes.set(work, new Set([shard]))
  else shards.add(shard)
}

/** PostgreSQL takes less than 8,000 bytes in one notification; an id has 36. */
const mostLogs = 200

/** Writes the news as few payloads, which name the process that they come from. */
export const payloadsOf = ({ areShardsFree, lanes, logs }: News, process: string): ReadonlyArray<string> => {
  const ids = Array.from(logs)
  const batches = Array.from({ length: Math.ceil(ids.length / mostLogs) }, (_, at) =>
    ids.slice(at * mostLogs, (at + 1) * mostLogs)
  )
  return [
    ...batches.map((some) => `${process} logs ${some.join(",")}`),
    ...Array.from(lanes, ([work, shards]) => `${process} lanes ${Array.from(shards).join(",")} ${work}`),
    ...(areShardsFree ? [`${process} shards`] : [])
  ]
}

const form =
  /^(?<process>\S+) (?:logs (?<logs>[\da-f,-]+)|lanes (?<shards>\d+(?:,\d+)*) (?<work>\S+)|(?<free>shards))$/u

const isOrganizationId = Schema.is(OrganizationId)

/** Reads what another process tells; nothing of what this one has told itself, or of what it does not know. */
export const readPayload = (payload: string, self: string): News => {
  const news = noNews()
  const { free, logs, process, shards, work } = form.exec(payload)?.groups ?? {}
  if (process === undefined || process === self) return news
  for (const id of logs?.split(",") ?? []) if (isOrganizationId(id)) news.logs.add(id)
  if (work !== undefined) news.lanes.set(work, new Set(shards?.split(",").map(Number)))
  return { ...news, areShardsFree: free !== undefined }
}
