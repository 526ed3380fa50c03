import { OrganizationId, Permission } from "@parley/domain/kernel"
import type { LiveEvent, TaskName } from "@parley/domain/platform"
import { Option, Schema } from "effect"

/** Pending notifications of a process: each entry once, however often it occurred. */
export interface News {
  /** Organizations with new events. */
  readonly logs: Set<OrganizationId>
  /** Shards of each task with opened lanes. */
  readonly lanes: Map<TaskName, Set<number>>
  areShardsFree: boolean
  readonly live: Array<{ readonly id: OrganizationId; readonly event: LiveEvent }>
}

export const noNews = (): News => ({ logs: new Set(), lanes: new Map(), areShardsFree: false, live: [] })

/** Adds shards of a task with opened lanes. */
export const addShard = ({ lanes }: News, work: TaskName, shard: number) => {
  const shards = lanes.get(work)
  if (shards === undefined) lanes.set(work, new Set([shard]))
  else shards.add(shard)
}

/** PostgreSQL accepts less than 8,000 bytes in a notification; an id has 36. */
const mostLogs = 200

/** Encodes the news in few payloads that name the sending process. */
export const payloadsOf = ({ areShardsFree, lanes, live, logs }: News, process: string): ReadonlyArray<string> => {
  const ids = Array.from(logs)
  const batches = Array.from({ length: Math.ceil(ids.length / mostLogs) }, (_, at) =>
    ids.slice(at * mostLogs, (at + 1) * mostLogs)
  )
  return [
    ...batches.map((some) => `${process} logs ${some.join(",")}`),
    ...Array.from(lanes, ([work, shards]) => `${process} lanes ${Array.from(shards).join(",")} ${work}`),
    ...(areShardsFree ? [`${process} shards`] : []),
    ...live.map(({ event, id }) => `${process} live ${id} ${JSON.stringify(event)}`)
  ]
}

const form =
  /^(?<process>\S+) (?:logs (?<logs>[\da-f,-]+)|lanes (?<shards>\d+(?:,\d+)*) (?<work>\S+)|(?<free>shards)|live (?<organization>\S+) (?<event>\{.*\}))$/u

const isOrganizationId = Schema.is(OrganizationId)

const decodeLiveEvent = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({ type: Schema.String, permission: Permission, data: Schema.Record(Schema.String, Schema.String) })
  )
)

/** Decodes a payload of another process. Own and unknown payloads give empty news. */
export const readPayload = (payload: string, self: string): News => {
  const news = noNews()
  const { event, free, logs, organization, process, shards, work } = form.exec(payload)?.groups ?? {}
  if (process === undefined || process === self) return news
  for (const id of logs?.split(",") ?? []) if (isOrganizationId(id)) news.logs.add(id)
  if (work !== undefined) news.lanes.set(work, new Set(shards?.split(",").map(Number)))
  const live = Option.getOrNull(decodeLiveEvent(event))
  if (live !== null && isOrganizationId(organization)) news.live.push({ id: organization, event: live })
  return { ...news, areShardsFree: free !== undefined }
}
