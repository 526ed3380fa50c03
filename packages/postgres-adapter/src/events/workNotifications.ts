import type { makeWorkNotifications, WorkName } from "@parley/domain"

/** The payload that says that shards are free. */
export const shardsPayload = "shards"

const lanes = /^lane:(?<work>.+):(?<shard>\d+)$/u

/** The payload that says that a lane was opened. */
export const lanePayload = (work: WorkName, shard: number) => `lane:${work}:${shard}`

/** Passes on another process's notification about work; ignores all others. */
export const receiveNotification = (payload: string, notifications: ReturnType<typeof makeWorkNotifications>) => {
  if (payload === shardsPayload) return notifications.shardsMoved()
  const { shard, work } = lanes.exec(payload)?.groups ?? {}
  return work === undefined ? undefined : notifications.opened(work, Number(shard))
}
