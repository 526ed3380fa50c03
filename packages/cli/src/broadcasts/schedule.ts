import { AudienceSnapshotId, LocalTime, ScheduleZone, Timestamp } from "@parley/domain"
import { DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { confirm } from "../console/confirm.ts"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { broadcast, view } from "./broadcast.ts"

const time = (name: string, description: string) =>
  typedFlag(name, Timestamp).pipe(Flag.withMetavar("time"), Flag.withDescription(description), Flag.optional)

const flags = {
  at: time("at", "When it starts, such as 2026-12-01T09:00:00Z (as the broadcast says)"),
  localAt: typedFlag("local-at", LocalTime).pipe(
    Flag.withMetavar("time"),
    Flag.withDescription("What the clocks show when it starts, such as 2026-12-01T09:00"),
    Flag.optional
  ),
  zone: Flag.Literals("zone", ScheduleZone.literals).pipe(
    Flag.withDescription("Whose clocks: the organization's, or each contact's (organization)"),
    Flag.optional
  ),
  notAfter: time("not-after", "It does not start later than this (24 hours after its start)"),
  endBy: time("end-by", "Nothing is sent after this (30 days after its start)")
}

/** Has a broadcast start at its time. */
export const scheduleCommand = Command.make(
  "schedule",
  {
    org: Flags.org,
    broadcast,
    ...flags,
    snapshot: typedFlag("snapshot", AudienceSnapshotId).pipe(
      Flag.withDescription("The list of recipients that a preview has kept (who matches at the start)"),
      Flag.optional
    ),
    yes: Flags.yes,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ at, broadcast, endBy, json, localAt, notAfter, org, quiet, snapshot, yes, zone }) {
    const said = {
      ...(Option.isSome(at) && { at: at.value }),
      ...(Option.isSome(localAt) && { localAt: localAt.value }),
      ...(Option.isSome(zone) && { zone: zone.value }),
      ...(Option.isSome(notAfter) && { notAfter: notAfter.value }),
      ...(Option.isSome(endBy) && { endBy: endBy.value })
    }
    const params = { id: broadcast }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const { name, schedule: own, version } = yield* tenant.broadcasts.get({ params })
        const isNew = Option.isSome(at) || Option.isSome(localAt)
        const { at: _at, localAt: _localAt, ...limits } = own ?? {}
        const schedule = isNew ? { ...limits, ...said } : { ...own, ...said }
        const when = schedule.localAt ?? (schedule.at === undefined ? "its time" : DateTime.formatIso(schedule.at))
        yield* confirm(`Have the broadcast "${name}" (${broadcast}) of ${tenant.name} start at ${when}?`, yes)
        const scheduled = yield* tenant.broadcasts.schedule({
          params,
          // What was asked about is what is scheduled.
          headers: { "if-match": version },
          payload: {
            ...(Object.keys(said).length > 0 && { schedule }),
            ...(Option.isSome(snapshot) && { audienceSnapshotId: snapshot.value })
          }
        })
        yield* printOne(view, { json, quiet }, scheduled)
      })
    )
  })
).pipe(
  Command.withDescription("Have a broadcast start at its time; everything that sending needs is checked"),
  Command.withExamples([
    { command: "parley broadcasts schedule --org acme 0197... --at 2026-12-01T09:00:00Z" },
    { command: "parley broadcasts schedule 0197... --local-at 2026-12-01T09:00 --zone contact --yes" }
  ])
)
