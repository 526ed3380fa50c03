import { DateTime, Duration, Effect, Option, Predicate, Stream } from "effect"
import type { Calls, Tenant } from "./Tenant.ts"

const lookEvery = Duration.seconds(1)

const atOnce = 100

/** Where to look next, and whether there was nothing more the last time. */
interface Place {
  readonly from: { readonly after: string } | { readonly since: DateTime.Utc }
  readonly isAtEnd: boolean
}

/** Follows the feed by looking at it again and again: whoever has the database needs no service. */
export const followOnDatabase =
  ({ events }: Pick<Calls, "events">): Tenant["follow"] =>
  ({ after, since, type }) => {
    const begin = Effect.gen(function* () {
      if (after !== undefined) return { after }
      if (since !== undefined) return { since: Predicate.isString(since) ? DateTime.makeUnsafe(since) : since }
      // A page that is not full ends at the end of the log, whatever it looked for.
      const { nextCursor } = yield* events.list({ query: { limit: atOnce, type: ["organization.created"] } })
      return { after: nextCursor ?? "" }
    })
    const look = Effect.fnUntraced(function* ({ from, isAtEnd }: Place) {
      if (isAtEnd) yield* Effect.sleep(lookEvery)
      const { data, nextCursor } = yield* events.list({
        query: { ...(type !== undefined && { type }), limit: atOnce, ...from }
      })
      const next = nextCursor === null ? from : { after: nextCursor }
      return [data, Option.some<Place>({ from: next, isAtEnd: data.length < atOnce })] as const
    })
    return Stream.unwrap(Effect.map(begin, (from) => Stream.paginate({ from, isAtEnd: false } as Place, look)))
  }
