import { Context, type Effect } from "effect"
import type { TenantScoped } from "./CurrentOrganization.ts"
import type { Transaction } from "./UnitOfWork.ts"

/** What one unit of work at a time may hold. */
export type LockName =
  | "assignments"
  | "automations"
  | "broadcast_recipients"
  | "broadcast_settings"
  | "chat_accounts"
  | "contact_fields"
  | "members"
  | "message_templates"
  | "organization"
  | "plugins"
  | "schedules"
  | "segments"
  | "store_connections"
  | "tags"
  | "webhook_subscriptions"
  | "workflows"

/** Read-write locks of an organization, for rules that read before they write. They end with the unit of work. */
export class Locks extends Context.Service<
  Locks,
  TenantScoped<{
    /** Waits until no other unit of work of this organization holds the name, then holds it until the commit. */
    readonly exclusive: (name: LockName) => Effect.Effect<void, never, Transaction>
    /** Waits for exclusive holders, then blocks new ones until the commit. */
    readonly shared: (name: LockName) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/kernel/Locks") {}
