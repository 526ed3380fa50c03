import {
  AuditEvent,
  AuditEventId,
  eventTypes,
  listAuditEvents,
  listEvents,
  listEventTypes,
  toPublishedEventType
} from "@parley/domain"
import type { AuditApi, EventsApi } from "../../events.ts"
import type { ExamplesOf } from "./Example.ts"
import { ada, automation, invited, pageOf, requestId } from "./samples.ts"

const actor = { kind: "user", id: ada.id } as const

export const audit: ExamplesOf<typeof AuditApi> = {
  list: {
    runs: listAuditEvents,
    answer: pageOf(
      new AuditEvent({
        id: AuditEventId.make("01934b70-0b21-7f88-90a2-718293041526"),
        actor,
        action: "member.invited",
        target: { kind: "member", id: invited.id },
        before: null,
        after: { email: invited.email, role: invited.role },
        requestId,
        at: invited.invitedAt
      })
    )
  }
}

export const events: ExamplesOf<typeof EventsApi> = {
  list: {
    runs: listEvents,
    answer: pageOf(
      {
        cursor: "eyJrIjpbIjQxIl19",
        position: 41,
        at: invited.invitedAt,
        actor,
        causation: null,
        event: { type: "member.invited", memberId: invited.id, role: invited.role }
      },
      {
        cursor: "eyJrIjpbIjQyIl19",
        position: 42,
        at: automation.createdAt,
        actor,
        causation: null,
        event: { type: "automation.created", automationId: automation.id }
      }
    )
  },
  listTypes: {
    runs: listEventTypes,
    answer: { data: eventTypes.filter(({ type }) => type === "member.invited").map(toPublishedEventType) }
  }
}
