import { check, type Check, same } from "../verdict.ts"
import type { ProviderLog } from "../sends/control.ts"
import { isCertainlyRefused } from "../sends/script.ts"
import type { Stop } from "./interfere.ts"
import type { Takeover } from "./takeovers.ts"

/** A stored recipient of a broadcast. */
export interface Kept {
  readonly broadcastId: string
  readonly reference: string
  readonly status: string
  readonly providerId: string | null
}

/** The stored statistics of a broadcast, and the number of recipients in each status. */
export interface Counted {
  readonly id: string
  readonly stats: Readonly<Record<string, number>>
  readonly recounted: Readonly<Record<string, number>>
}

/** Observations during the run. */
export interface Terms {
  readonly perSecond: number
  /** How many may have been in hand, without a call, when something died or was cut off. */
  readonly mostUncalled: number
  readonly stops: ReadonlyArray<Stop>
  readonly cancelled: ReadonlySet<string>
  readonly takeovers: ReadonlyArray<Takeover>
}

/** Maximum silence of a process before others take over its sends. */
const longestTakeover = 10_000

/** How often a recipient is tried that was certainly refused, but for being sent too fast. */
const mostTries = 5

const knownToBeSent: ReadonlySet<string> = new Set(["sent", "delivered", "read"])

type Scripted = ProviderLog["calls"][number]["scripted"]

const isTooFast = (scripted: Scripted) =>
  scripted !== null && (scripted.status === 429 || (scripted.kind === "error" && scripted.code === 130_429))

const kindsOf = (calls: ReadonlyArray<{ readonly scripted: Scripted }>) =>
  calls.map(({ scripted }) => scripted?.kind ?? "none").join(", ")

/**
 * Allowed difference in transit between two calls beyond the 15 ms that the pace leaves. Between the grant of the pace and the provider's clock lie
 * a turn of the sender's event loop, perhaps a new connection, and a turn of the provider's loop. Both loops can pause for some milliseconds on
 * busy cores.
 */
const transitMillis = 10

/** The place of the first call less than a second after the call this number of places earlier. */
const tooSoon = (times: ReadonlyArray<number>, perSecond: number) =>
  times.findIndex((at, place) => at - (times[place - perSecond] ?? Number.NEGATIVE_INFINITY) < 1_000 - transitMillis)

/** Compares the accepted messages of the provider with the records of the service: the provider's log is right. */
export const judge = (
  { accepted, calls }: ProviderLog,
  kept: ReadonlyArray<Kept>,
  counted: ReadonlyArray<Counted>,
  { cancelled, mostUncalled, perSecond, stops, takeovers }: Terms
): ReadonlyArray<Check> => {
  const acceptedOf = Map.groupBy(accepted, ({ reference }) => reference ?? "nobody's")
  const callsOf = Map.groupBy(calls, ({ reference }) => reference ?? "nobody's")
  const byReference = new Map(kept.map((recipient) => [recipient.reference, recipient]))
  const broadcastOf = (reference: string | null) => byReference.get(reference ?? "")?.broadcastId ?? "nobody's"
  const doubtful = kept.filter(({ status }) => status === "in_doubt")
  const uncalled = doubtful.filter(({ reference }) => !callsOf.has(reference))
  const lastOf = (reference: string) => callsOf.get(reference)?.at(-1)?.scripted?.kind ?? "none"

  const endOf = ({ broadcastId, reference, status }: Kept): string | null => {
    const all = callsOf.get(reference) ?? []
    const shown = `${reference} is ${status} after ${kindsOf(all)}`
    if (acceptedOf.has(reference)) {
      const last = lastOf(reference)
      if (last === "fail_receipt") return status === "failed" ? null : shown
      return knownToBeSent.has(status) || (last === "no_receipts" && status === "in_doubt") ? null : shown
    }
    if (status === "in_doubt") return null
    if (cancelled.has(broadcastId) && (status === "pending" || status === "waiting" || status === "never_sent"))
      return null
    const tries = all.filter(({ scripted }) => !isTooFast(scripted)).length
    return status === "failed" && tries === mostTries ? null : shown
  }

  return [
    check("no recipient is sent to twice", acceptedOf, ([reference, times]) =>
      times.length === 1 ? null : `${reference} was accepted ${times.length} times`
    ),
    check("only who was certainly refused is called again", callsOf, ([reference, all]) =>
      all.slice(0, -1).every(({ scripted }) => scripted !== null && isCertainlyRefused(scripted))
        ? null
        : `${reference}: ${kindsOf(all)}`
    ),
    check(`no recipient is tried more than ${mostTries} times`, callsOf, ([reference, all]) =>
      all.filter(({ scripted }) => !isTooFast(scripted)).length <= mostTries ? null : `${reference}: ${kindsOf(all)}`
    ),
    check("only recipients are sent to", acceptedOf.keys(), (reference) =>
      byReference.has(reference) ? null : `${reference} was accepted`
    ),
    check(
      "no recipient is lost: each ends as the provider recorded it, and receipts settle the ones in doubt",
      kept,
      endOf
    ),
    check(
      `no more than ${mostUncalled} are in doubt without a call`,
      uncalled.slice(mostUncalled),
      ({ reference }) => reference
    ),
    check("no call begins after the answer of a pause or a cancel", stops, ({ from, id, until }) => {
      const late = calls.filter(({ at, reference }) => at > from && at < until && broadcastOf(reference) === id)
      return late.length === 0
        ? null
        : `${id}: ${late.length} calls, the last one ${Math.max(...late.map(({ at }) => at)) - from} ms after it`
    }),
    check(
      `no number is sent from faster than ${perSecond} in any second`,
      Map.groupBy(calls, ({ reference }) => broadcastOf(reference)),
      ([id, all]) => {
        const times = all.map(({ at }) => at).toSorted((one, other) => one - other)
        const place = tooSoon(times, perSecond)
        return place === -1
          ? null
          : `${id}: ${perSecond + 1} within ${(times[place] ?? 0) - (times[place - perSecond] ?? 0)} ms`
      }
    ),
    check(`a silent process is replaced within ${longestTakeover / 1_000} s`, takeovers, ({ millis, node }) =>
      millis <= longestTakeover ? null : `${node}: ${Math.round(millis)} ms`
    ),
    ...counted.map(({ id, recounted, stats }) => same(`the statistics of ${id} match its recipients`, stats, recounted))
  ]
}
