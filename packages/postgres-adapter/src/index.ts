import type { StoragePorts } from "@parley/domain"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as AuditLog from "./audit/AuditLog.ts"
import * as Automations from "./automation/Automations.ts"
import * as DocsCodeRedemption from "./docs-handoff/DocsCodeRedemption.ts"
import * as DocsCodes from "./docs-handoff/DocsCodes.ts"
import * as Plans from "./entitlements/Plans.ts"
import * as EventLog from "./events/EventLog.ts"
import * as Accounts from "./identity/Accounts.ts"
import * as AutomationTokens from "./identity/AutomationTokens.ts"
import * as Members from "./identity/Members.ts"
import * as OrganizationDirectory from "./identity/OrganizationDirectory.ts"
import * as Organizations from "./identity/Organizations.ts"
import * as Sessions from "./identity/Sessions.ts"
import * as SigningKeys from "./identity/SigningKeys.ts"
import * as Users from "./identity/Users.ts"
import * as IdempotencyKeys from "./kernel/IdempotencyKeys.ts"
import * as Locks from "./kernel/Locks.ts"
import * as Outbox from "./kernel/Outbox.ts"
import * as RateLimits from "./kernel/RateLimits.ts"
import * as RecentReads from "./kernel/RecentReads.ts"
import * as UnitOfWork from "./kernel/UnitOfWork.ts"

export * as Database from "./Database.ts"
export * as Embedded from "./Embedded.ts"
export * as Inspection from "./Inspection.ts"
export * as Migrations from "./Migrations.ts"
export * from "./embedded/Errors.ts"
export { DatabaseNewerThanCode } from "./Migrations.ts"

/** Every storage port on a migrated PostgreSQL database. */
export const layer: Layer.Layer<StoragePorts, never, SqlClient.SqlClient> = Layer.mergeAll(
  Accounts.layer,
  AuditLog.layer,
  Automations.layer,
  AutomationTokens.layer,
  DocsCodeRedemption.layer,
  DocsCodes.layer,
  EventLog.layer,
  IdempotencyKeys.layer,
  Locks.layer,
  Members.layer,
  OrganizationDirectory.layer,
  Organizations.layer,
  Outbox.layer,
  Plans.layer,
  RateLimits.layer,
  Sessions.layer,
  SigningKeys.layer,
  UnitOfWork.layer,
  Users.layer
).pipe(Layer.provide(RecentReads.layer))
