import type { makeWorkNews, WorkName } from "@parley/domain"

/** How other processes are told that shards are to be had. */
export const toldOfShards = "shards"

const lanes = /^lane:(?<work>.+):(?<shard>\d+)$/u

/** How other processes are told that a lane was opened. */
export const toldOfLane = (work: WorkName, shard: number) => `lane:${work}:${shard}`

/** Passes on what another process tells of work; whatever else it tells is left alone. */
export const hearOfWork = (payload: string, news: ReturnType<typeof makeWorkNews>) => {
  if (payload === toldOfShards) return news.shardsMoved()
  const { shard, work } = lanes.exec(payload)?.groups ?? {}
  return work === undefined ? undefined : news.opened(work, Number(shard))
}
