import { Context, Schema } from "effect"
import { Uuid } from "./Id.ts"
import { Permission } from "./Permission.ts"

export const UserId = Uuid.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const SessionId = Uuid.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

export const AutomationTokenId = Uuid.pipe(Schema.brand("AutomationTokenId"))
export type AutomationTokenId = typeof AutomationTokenId.Type

/** A plugin of one organization. Its token acts in its name, not in that of a person. */
export const PluginId = Uuid.pipe(Schema.brand("PluginId"))
export type PluginId = typeof PluginId.Type

/** The role a member holds in one organization. */
export const Role = Schema.Literals(["owner", "admin", "agent", "viewer"])
export type Role = typeof Role.Type

/**
 * Who acts: a signed-in user, an automation token, a plugin, an operator at the command line, the service itself, or a delegate: a job on
 * behalf of any of them, an automation or a workflow.
 */
export type Actor =
  | {
      readonly kind: "user"
      readonly userId: UserId
      readonly sessionId: SessionId
      /** `null` outside of an organization. */
      readonly role: Role | null
      readonly permissions: ReadonlySet<Permission>
    }
  | {
      readonly kind: "token"
      readonly tokenId: AutomationTokenId
      /** The person who answers for the token. */
      readonly responsibleUserId: UserId
      readonly permissions: ReadonlySet<Permission>
    }
  | {
      readonly kind: "plugin"
      readonly pluginId: PluginId
      /** The token of the plugin that the call has. */
      readonly tokenId: AutomationTokenId
      readonly permissions: ReadonlySet<Permission>
    }
  | { readonly kind: "operator"; readonly name: string }
  | { readonly kind: "system"; readonly name: string }
  | {
      readonly kind: "delegate"
      readonly for: ActorRef
      /** Those that were held when the work was asked for. */
      readonly permissions: ReadonlySet<Permission>
    }

/**
 * Whoever the call acts for. Only an edge (HTTP, command line, job) provides it.
 *
 * @effect-leakable-service
 */
export class CurrentActor extends Context.Service<CurrentActor, Actor>()("@parley/domain/kernel/CurrentActor") {}

/** Whether the actor holds the permission. Operators and the service itself hold all of them. */
export const holds = (actor: Actor, permission: Permission): boolean =>
  actor.kind === "operator" || actor.kind === "system" || actor.permissions.has(permission)

/** Every permission the actor holds. */
export const permissionsOf = (actor: Actor): ReadonlySet<Permission> =>
  actor.kind === "operator" || actor.kind === "system" ? new Set(Permission.literals) : actor.permissions

/** The actor as it is named in the audit trail and in events. */
export const ActorRef = Schema.Struct({
  kind: Schema.Literals(["user", "token", "plugin", "automation", "workflow", "operator", "system", "anonymous"]),
  id: Schema.String
}).annotate({ identifier: "ActorRef" })
export type ActorRef = typeof ActorRef.Type

/** How the actor is written down. */
export const refer = (actor: Actor): ActorRef => {
  switch (actor.kind) {
    case "user":
      return { kind: "user", id: actor.userId }
    case "token":
      return { kind: "token", id: actor.tokenId }
    case "plugin":
      return { kind: "plugin", id: actor.pluginId }
    case "operator":
      return { kind: "operator", id: actor.name }
    case "system":
      return { kind: "system", id: actor.name }
    case "delegate":
      return actor.for
  }
}
