import { AudienceSnapshotId, CancelledBroadcast, LocalTime, ScheduleZone, Timestamp } from "@parley/domain"
import { DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printOne, type View } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
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
          // Schedules exactly the version that the user has confirmed.
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

export const unscheduleCommand = Command.make(
  "unschedule",
  { org: Flags.org, broadcast, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ broadcast, json, org, quiet }) {
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.unschedule({ params: { id: broadcast } }), (draft) =>
        printOne(view, { json, quiet }, draft)
      )
    )
  })
).pipe(Command.withDescription("Make a draft of a scheduled broadcast again"))

export const sendCommand = Command.make(
  "send",
  {
    org: Flags.org,
    broadcast,
    snapshot: typedFlag("snapshot", AudienceSnapshotId).pipe(
      Flag.withDescription("The list of recipients that a preview has kept (who matches now)"),
      Flag.optional
    ),
    yes: Flags.yes,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ broadcast, json, org, quiet, snapshot, yes }) {
    const params = { id: broadcast }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const { name, version } = yield* tenant.broadcasts.get({ params })
        yield* confirm(`Send the broadcast "${name}" (${broadcast}) of ${tenant.name} now?`, yes)
        const sent = yield* tenant.broadcasts.send({
          params,
          // Sends exactly the version that the user has confirmed.
          headers: { "if-match": version },
          payload: Option.isSome(snapshot) ? { audienceSnapshotId: snapshot.value } : {}
        })
        yield* printOne(view, { json, quiet }, sent)
      })
    )
  })
).pipe(
  Command.withDescription("Send a broadcast now, whenever it was scheduled for; a running service sends it"),
  Command.withExamples([
    { command: "parley broadcasts send --org acme 0197..." },
    { command: "parley broadcasts send --org acme 0197... --snapshot 0197... --yes" }
  ])
)

export const pauseCommand = Command.make(
  "pause",
  { org: Flags.org, broadcast, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ broadcast, json, org, quiet }) {
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.pause({ params: { id: broadcast } }), (paused) =>
        printOne(view, { json, quiet }, paused)
      )
    )
  })
).pipe(Command.withDescription("Pause a broadcast; it ends when no message of it is sent any more"))

export const resumeCommand = Command.make(
  "resume",
  { org: Flags.org, broadcast, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ broadcast, json, org, quiet }) {
    yield* inTenant(org, ({ broadcasts }) =>
      Effect.flatMap(broadcasts.resume({ params: { id: broadcast } }), (resumed) =>
        printOne(view, { json, quiet }, resumed)
      )
    )
  })
).pipe(Command.withDescription("Go on with a broadcast that is paused; nobody gets it twice"))

const cancelView: View<CancelledBroadcast> = {
  schema: CancelledBroadcast,
  none: "There is no broadcast.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "MATCHED", of: ({ matched }) => String(matched) },
    { heading: "SENT", of: ({ sent }) => String(sent) },
    { heading: "IN FLIGHT", of: ({ inFlight }) => String(inFlight) },
    { heading: "IN DOUBT", of: ({ inDoubt }) => String(inDoubt) },
    { heading: "FAILED", of: ({ failed }) => String(failed) },
    { heading: "EXCLUDED", of: ({ excluded }) => String(excluded) },
    { heading: "HELD OUT", of: ({ heldOut }) => String(heldOut) },
    { heading: "NEVER SENT", of: ({ neverSent }) => String(neverSent) }
  ]
}

export const cancelCommand = Command.make(
  "cancel",
  { org: Flags.org, broadcast, yes: Flags.yes, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ broadcast, json, org, quiet, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ broadcasts, name }) {
        yield* confirm(`Cancel the broadcast ${broadcast} of ${name}? It cannot be resumed.`, yes)
        yield* printOne(cancelView, { json, quiet }, yield* broadcasts.cancel({ params: { id: broadcast } }))
      })
    )
  })
).pipe(Command.withDescription("End a broadcast, and say how many have got it and how many never will"))
