import { Timestamp } from "@parley/domain/kernel"
import { AuditEvent } from "@parley/domain/platform"
import { DateTime, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { collect, listFlags, narrowed, one, queryOf } from "../console/listing.ts"
import { printList, type View } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import type { Calls } from "../tenant/Tenant.ts"
import { atInstallation } from "../tenant/atInstallation.ts"
import { inTenant } from "../tenant/inTenant.ts"

const shown = (values: AuditEvent["before"]) => (values === null ? "" : JSON.stringify(values))

const view: View<AuditEvent> = {
  schema: AuditEvent,
  none: "No matching entry was found.",
  columns: [
    { heading: "AT", of: (event) => DateTime.formatIso(event.at) },
    { heading: "ACTOR", of: (event) => `${event.actor.kind}:${event.actor.id}` },
    { heading: "ACTION", of: (event) => event.action },
    { heading: "TARGET", of: (event) => `${event.target.kind}:${event.target.id}` },
    { heading: "BEFORE", of: (event) => shown(event.before) },
    { heading: "AFTER", of: (event) => shown(event.after) },
    { heading: "REQUEST", of: (event) => event.requestId ?? "" }
  ]
}

const list = Command.make(
  "list",
  {
    org: Flag.String("org").pipe(
      Flag.withMetavar("organization"),
      Flag.withDescription("Slug or id of the organization; without it, entries without an organization, such as keys"),
      Flag.optional
    ),
    actor: Flag.String("actor").pipe(
      Flag.withDescription("Id of a user or token, or name of an operator"),
      Flag.optional
    ),
    action: Flag.String("action").pipe(Flag.withDescription("Action, such as member.removed"), Flag.optional),
    targetKind: Flag.String("target-kind").pipe(
      Flag.withDescription("Kind of the changed resource, such as member"),
      Flag.optional
    ),
    target: Flag.String("target").pipe(Flag.withDescription("Id of the changed resource"), Flag.optional),
    from: typedFlag("from", Timestamp).pipe(
      Flag.withMetavar("time"),
      Flag.withDescription("Earliest time, such as 2026-11-01T00:00:00Z"),
      Flag.optional
    ),
    to: typedFlag("to", Timestamp).pipe(
      Flag.withMetavar("time"),
      Flag.withDescription("Latest time, exclusive"),
      Flag.optional
    ),
    ...listFlags({
      actorId: one(Schema.NonEmptyString),
      action: one(Schema.NonEmptyString),
      targetKind: one(Schema.NonEmptyString),
      targetId: one(Schema.NonEmptyString),
      from: one(Timestamp),
      to: one(Timestamp)
    })
  },
  Effect.fn(function* ({ action, actor, filter, from, json, limit, org, quiet, target, targetKind, to }) {
    const asked = yield* narrowed(filter, {
      ...(Option.isSome(actor) && { actorId: actor.value }),
      ...(Option.isSome(action) && { action: action.value }),
      ...(Option.isSome(targetKind) && { targetKind: targetKind.value }),
      ...(Option.isSome(target) && { targetId: target.value }),
      ...(Option.isSome(from) && { from: from.value }),
      ...(Option.isSome(to) && { to: to.value })
    })
    const printFrom = Effect.fnUntraced(function* ({ audit }: Pick<Calls, "audit">) {
      const { isCut, rows } = yield* collect(limit, (page) => audit.list({ query: { ...asked, ...queryOf(page) } }))
      yield* printList(view, { json, quiet }, rows, isCut)
    })
    yield* Option.isSome(org)
      ? inTenant(org, printFrom)
      : atInstallation(
          ({ operatorAudit }) => printFrom({ audit: operatorAudit }),
          " To read the trail of an organization, specify it: --org acme"
        )
  })
).pipe(
  Command.withDescription("Read the audit trail, newest first"),
  Command.withAlias("ls"),
  Command.withExamples([
    { command: "parley audit list --org acme --action member.removed --from 2026-11-01T00:00:00Z" },
    { command: "parley audit list", description: "Events without an organization" }
  ])
)

export const audit = Command.make("audit").pipe(Command.withSubcommands([list]))
