import { ContactRecipients, CurrentOrganization } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../kernel/defects.ts"

export const layer = Layer.effect(
  ContactRecipients,
  Effect.map(SqlClient.SqlClient, (sql) =>
    ContactRecipients.of({
      forget: Effect.fnUntraced(function* (contactIds) {
        if (contactIds.length === 0) return
        const { id } = yield* CurrentOrganization
        yield* sql`
          UPDATE broadcast_recipients SET address_kind = NULL, address = NULL, "values" = NULL
          WHERE organization_id = ${id} AND contact_id = ANY(${contactIds}::uuid[])`
        yield* sql`
          UPDATE audience_snapshot_contacts SET address_kind = NULL, address = NULL
          WHERE organization_id = ${id} AND contact_id = ANY(${contactIds}::uuid[])`
      }, driverFailuresDie)
    })
  )
)
