import { AuditEvent, AuditEventId, listPlatformAuditEvents } from "@parley/domain/platform"
import { OperatorAuditApi } from "../../../api/operator.ts"
import { at, operatorToken, requestId, samplePage } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

export const operatorAudit = bind(OperatorAuditApi, {
  list: {
    runs: listPlatformAuditEvents,
    response: samplePage(
      new AuditEvent({
        id: AuditEventId.make("01934b70-0b21-7f88-90a2-718293041527"),
        actor: operatorToken,
        action: "rate_cards.imported",
        target: { kind: "rate_cards", id: "EUR 2026-10-01" },
        before: null,
        after: { imported: 240 },
        requestId,
        at: at("09:30:00.000")
      })
    )
  }
})
