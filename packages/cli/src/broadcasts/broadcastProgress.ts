import { type Broadcast, hasEnded } from "@parley/domain"
import { barOf, clockOf } from "../console/progress.ts"
import { reasonOf, takenOf } from "./broadcast.ts"

/** How far a broadcast was at a time. */
export interface Look {
  readonly broadcast: Broadcast
  readonly millis: number
}

const triedOf = ({ stats }: Broadcast) => takenOf(stats) + stats.failed + stats.inDoubt

/** The pace is that of so long. */
const lookedBack = 10_000

/** The looks that say what the pace is: this one, and those of the last seconds in the same status. */
export const withLook = (looks: ReadonlyArray<Look>, look: Look): ReadonlyArray<Look> => [
  ...looks.filter(
    ({ broadcast, millis }) => millis >= look.millis - lookedBack && broadcast.status === look.broadcast.status
  ),
  look
]

const rateOf = (looks: ReadonlyArray<Look>): number => {
  const [first] = looks
  const last = looks.at(-1)
  if (first === undefined || last === undefined || first.millis === last.millis) return 0
  return ((triedOf(last.broadcast) - triedOf(first.broadcast)) * 1_000) / (last.millis - first.millis)
}

/** One line that says how far a broadcast is, how fast it goes, and how long it will go on so. */
export const broadcastLine = (broadcast: Broadcast, looks: ReadonlyArray<Look>): string => {
  const { stats, status } = broadcast
  const tried = triedOf(broadcast)
  const total = stats.matched - stats.excluded - stats.heldOut
  const share = total === 0 ? 0 : tried / total
  const rate = hasEnded(status) ? 0 : rateOf(looks)
  const reason = reasonOf(broadcast)
  return [
    `${barOf(share)} ${String(Math.floor(share * 100)).padStart(3)} %  ${status}${reason === "" ? "" : ` (${reason})`}`,
    `${takenOf(stats)} sent`,
    `${stats.delivered + stats.read} delivered`,
    `${stats.read} read`,
    `${stats.failed} failed`,
    `${stats.inDoubt} in doubt`,
    ...(rate === 0 ? [] : [`${rate.toFixed(1)}/s`, `${clockOf(((total - tried) * 1_000) / rate)} left`])
  ].join(", ")
}
