import { RecipientLedger } from "@parley/domain/campaigns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { candidates } from "./ledger/candidates.ts"
import { claims } from "./ledger/claims.ts"
import { listing } from "./ledger/listing.ts"
import { progress } from "./ledger/progress.ts"
import { settling } from "./ledger/settling.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

export const layer = Layer.effect(
  RecipientLedger,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(RecipientLedger, {
      ...listing(sql),
      ...progress(sql),
      ...candidates(sql),
      ...claims(sql),
      ...settling(sql)
    })
  )
)
