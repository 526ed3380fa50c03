import { AuditEvent, AuditEventId, listAuditEvents } from "@parley/domain/platform"
import { AuditApi } from "../../../api/events.ts"
import { invited, requestId, samplePage, actor } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

export const audit = bind(AuditApi, {
  list: {
    runs: listAuditEvents,
    response: samplePage(
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
})
