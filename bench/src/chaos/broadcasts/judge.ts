import { check, type Check, same } from "../verdict.ts"
import type { ProviderLog } from "../sends/control.ts"

/** A recipient of a broadcast, as the service keeps it. */
export interface Kept {
  readonly reference: string
  readonly status: string
  readonly providerId: string | null
}

/** The statistics of a broadcast, as the service keeps them, and how many recipients there are of each status. */
export interface Counted {
  readonly id: string
  readonly stats: Readonly<Record<string, number>>
  readonly recounted: Readonly<Record<string, number>>
}

const acceptedStatuses: ReadonlySet<string> = new Set(["sent", "delivered", "read", "in_doubt"])

/** Compares what the provider has accepted with what the service says of it: the provider's log is right. */
export const judge = (
  { accepted, calls }: ProviderLog,
  kept: ReadonlyArray<Kept>,
  counted: ReadonlyArray<Counted>,
  mostInDoubt: number
): ReadonlyArray<Check> => {
  const acceptedOf = Map.groupBy(accepted, ({ reference }) => reference ?? "nobody's")
  const callsOf = Map.groupBy(calls, ({ reference }) => reference ?? "nobody's")
  const byReference = new Map(kept.map((recipient) => [recipient.reference, recipient]))
  const doubtful = kept.filter(({ status }) => status === "in_doubt")
  return [
    check("nobody is sent to twice", acceptedOf, ([reference, times]) =>
      times.length === 1 ? null : `${reference} was accepted ${times.length} times`
    ),
    check(
      "nobody is called again after a call that was accepted, or whose answer was lost",
      callsOf,
      ([reference, times]) => (times.length === 1 ? null : `${reference} was called ${times.length} times`)
    ),
    check("only recipients are sent to", acceptedOf.keys(), (reference) =>
      byReference.has(reference) ? null : `${reference} was accepted`
    ),
    check("whoever was accepted is known to be, or in doubt", acceptedOf.keys(), (reference) => {
      const status = byReference.get(reference)?.status ?? "nowhere"
      return acceptedStatuses.has(status) ? null : `${reference} is ${status}`
    }),
    check("whoever is said to be sent to was", kept, ({ reference, status }) =>
      acceptedOf.has(reference) || status === "in_doubt" ? null : `${reference} is ${status}, and was never accepted`
    ),
    check("nobody is lost: everybody is sent to or in doubt", kept, ({ reference, status }) =>
      acceptedStatuses.has(status) ? null : `${reference} is ${status}`
    ),
    check(`no more than ${mostInDoubt} are in doubt`, doubtful.slice(mostInDoubt), ({ reference }) => reference),
    ...counted.map(({ id, recounted, stats }) =>
      same(`the statistics of ${id} are those of its recipients`, stats, recounted)
    )
  ]
}
