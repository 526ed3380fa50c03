import { WrongUsage } from "@parley/service/configuration"
import { DateTime, Effect, Option, Stream } from "effect"
import { Flag } from "effect/cli"
import { sinceFlag } from "../console/since.ts"
import type { Followed, Tenant } from "../tenant/Tenant.ts"

/** From where events are followed, and which. */
export const fromFlags = {
  events: Flag.String("events").pipe(
    Flag.withMetavar("types"),
    Flag.withDescription("Only events of these types, such as message.received,order.*; repeat it for more"),
    Flag.atLeast(0)
  ),
  after: Flag.String("after").pipe(
    Flag.withMetavar("cursor"),
    Flag.withDescription("Begin after this cursor of the feed, in the place of now"),
    Flag.optional
  ),
  since: sinceFlag("Begin with what happened since then: 10m ago, or at a time")
}

/** What was said of where to begin. */
interface From {
  readonly events: ReadonlyArray<string>
  readonly after: Option.Option<string>
  readonly since: Option.Option<DateTime.Utc>
}

const typesIn = (events: ReadonlyArray<string>) =>
  events.flatMap((each) => each.split(",")).flatMap((each) => (each.trim() === "" ? [] : [each.trim()]))

/** The events that are meant, as they happen. */
export const followed = Effect.fnUntraced(function* (tenant: Tenant, { after, events, since }: From) {
  if (Option.isSome(after) && Option.isSome(since)) {
    return yield* new WrongUsage({ message: "Say from where: either --after and a cursor, or --since." })
  }
  const type = typesIn(events).filter((each) => each !== "*")
  const isMeant = ({ at }: Followed) => Option.isNone(since) || !DateTime.isLessThan(at, since.value)
  return tenant
    .follow({
      ...(Option.isSome(after) && { after: after.value }),
      ...(Option.isSome(since) && { since: since.value }),
      ...(type.length > 0 && { type })
    })
    .pipe(Stream.filter(isMeant))
})
