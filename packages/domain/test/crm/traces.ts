import { AuditLog, EventLog } from "@parley/domain/platform"
import { type Contact, ContactHistory, type ContactId } from "@parley/domain/crm"
import { eventPermissions } from "@parley/domain/composition"
import { asOperatorOf, type Of } from "@parley/testkit"
import { DateTime, Effect } from "effect"

const all = { limit: 10_000, after: null }

const anything = { actorId: null, targetKind: null, targetId: null, action: null, from: null, to: null }

/** Events of the organization, oldest first. */
export const eventsOf = (organization: Of) =>
  Effect.flatMap(EventLog, (log) => log.list(Object.keys(eventPermissions), all)).pipe(
    asOperatorOf(organization),
    Effect.map((events) => events.map(({ event }) => event))
  )

/** Actions and targets in the audit trail of the organization, oldest first. */
export const auditOf = (organization: Of) =>
  Effect.flatMap(AuditLog, (log) => log.list(anything, all)).pipe(
    asOperatorOf(organization),
    Effect.map((events) =>
      events.toReversed().map(({ action, after, before, target }) => ({ action, target: target.id, before, after }))
    )
  )

/** Result of an effect, with its events and audit entries. */
export const traced = <A, E, R>(organization: Of, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = { events: yield* eventsOf(organization), audit: yield* auditOf(organization) }
    const answer = yield* effect
    return {
      answer,
      events: (yield* eventsOf(organization)).slice(before.events.length),
      audit: (yield* auditOf(organization)).slice(before.audit.length)
    }
  })

/** The ledger of the contact's consent, oldest first. */
export const ledgerOf = (organization: Of, id: ContactId) =>
  Effect.flatMap(ContactHistory, (history) => history.consents(id, all)).pipe(
    asOperatorOf(organization),
    Effect.map((changes) =>
      changes.toReversed().map(({ at, evidence, source, state }) => [state, source, evidence, DateTime.formatIso(at)])
    )
  )

/** Kinds of entries in the contact's timeline, oldest first. */
export const timelineOf = (organization: Of, id: ContactId) =>
  Effect.flatMap(ContactHistory, (history) => history.timeline(id, all)).pipe(
    asOperatorOf(organization),
    Effect.map((entries) => entries.toReversed().map(({ kind }) => kind))
  )

/** A contact without what every write changes. */
export const substance = (contact: Contact) => ({ ...contact, updatedAt: null, version: null })
