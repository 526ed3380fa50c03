import { Timestamp } from "@parley/domain/kernel"
import { AudienceSnapshotId, CancelledBroadcast, LocalTime, ScheduleZone } from "@parley/domain/campaigns"
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
  at: time("at", "Start time, such as 2026-12-01T09:00:00Z (default: the schedule of the broadcast)"),
  localAt: typedFlag("local-at", LocalTime).pipe(
    Flag.withMetavar("time"),
    Flag.withDescription("Local start time, such as 2026-12-01T09:00"),
    Flag.optional
  ),
  zone: Flag.Literals("zone", ScheduleZone.literals).pipe(
    Flag.withDescription("Time zone of --local-at: of the organization or of each contact (organization)"),
    Flag.optional
  ),
  notAfter: time("not-after", "Latest start time (24 hours after the start)"),
  endBy: time("end-by", "Latest time of a message (30 days after the start)")
}

export const scheduleCommand = Command.make(
  "schedule",
  {
    org: Flags.org,
    broadcast,
    ...flags,
    snapshot: typedFlag("snapshot", AudienceSnapshotId).pipe(
      Flag.withDescription("Id of a stored list of recipients (default: the contacts that match at the start)"),
      Flag.optional
    ),
    yes: Flags.yes,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ at, broadcast, endBy, json, localAt, notAfter, org, quiet, snapshot, yes, zone }) {
    const changes = {
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
        const schedule = isNew ? { ...limits, ...changes } : { ...own, ...changes }
        const when = schedule.localAt ?? (schedule.at === undefined ? "its time" : DateTime.formatIso(schedule.at))
        yield* confirm(`Schedule the broadcast "${name}" (${broadcast}) of ${tenant.name} for ${when}?`, yes)
        const scheduled = yield* tenant.broadcasts.schedule({
          params,
          // Schedules exactly the version that the user has confirmed.
          headers: { "if-match": version },
          payload: {
            ...(Object.keys(changes).length > 0 && { schedule }),
            ...(Option.isSome(snapshot) && { audienceSnapshotId: snapshot.value })
          }
        })
        yield* printOne(view, { json, quiet }, scheduled)
      })
    )
  })
).pipe(
  Command.withDescription("Schedule a broadcast, after a check of all parts that sending requires"),
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
).pipe(Command.withDescription("Change a scheduled broadcast back to a draft"))

export const sendCommand = Command.make(
  "send",
  {
    org: Flags.org,
    broadcast,
    snapshot: typedFlag("snapshot", AudienceSnapshotId).pipe(
      Flag.withDescription("Id of a stored list of recipients (default: the contacts that match now)"),
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
  Command.withDescription("Send a broadcast now, regardless of its schedule. A running service sends it"),
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
).pipe(Command.withDescription("Pause a broadcast, and wait until no more message is sent"))

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
).pipe(Command.withDescription("Resume a paused broadcast. No contact gets it twice"))

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
).pipe(Command.withDescription("Cancel a broadcast, and show the numbers of sent and unsent messages"))
