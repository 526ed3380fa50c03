import { OrganizationId, type TaskName } from "@parley/domain"
import { Schema } from "effect"

/** Pending notifications of a process: each entry once, however often it occurred. */
export interface News {
  /** Organizations with new events. */
  readonly logs: Set<OrganizationId>
  /** Shards of each task with opened lanes. */
  readonly lanes: Map<TaskName, Set<number>>
  areShardsFree: boolean
}

export const noNews = (): News => ({ logs: new Set(), lanes: new Map(), areShardsFree: false })

/** Adds shards of a task with opened lanes. */
export const addShard = ({ lanes }: News, work: TaskName, shard: number) => {
  const shards = lanes.get(work)
  if (shards === undefined) lanes.set(work, new Set([shard]))
  else shards.add(shard)
}

/** PostgreSQL accepts less than 8,000 bytes in a notification; an id has 36. */
const mostLogs = 200

/** Encodes the news in few payloads that name the sending process. */
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

/** Decodes a payload of another process. Own and unknown payloads give empty news. */
export const readPayload = (payload: string, self: string): News => {
  const news = noNews()
  const { free, logs, process, shards, work } = form.exec(payload)?.groups ?? {}
  if (process === undefined || process === self) return news
  for (const id of logs?.split(",") ?? []) if (isOrganizationId(id)) news.logs.add(id)
  if (work !== undefined) news.lanes.set(work, new Set(shards?.split(",").map(Number)))
  return { ...news, areShardsFree: free !== undefined }
}
