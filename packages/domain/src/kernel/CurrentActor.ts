import { Context, Effect, Schema, type Stream } from "effect"
import type { OperatorScope } from "./OperatorScope.ts"
import { Permission } from "./Permission.ts"
import { Uuid } from "./scalars.ts"

export const UserId = Uuid.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const SessionId = Uuid.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

export const AutomationTokenId = Uuid.pipe(Schema.brand("AutomationTokenId"))
export type AutomationTokenId = typeof AutomationTokenId.Type

export const OperatorTokenId = Uuid.pipe(Schema.brand("OperatorTokenId"))
export type OperatorTokenId = typeof OperatorTokenId.Type

/** Plugin of one organization. Its token acts for the plugin, not for a person. */
export const PluginId = Uuid.pipe(Schema.brand("PluginId"))
export type PluginId = typeof PluginId.Type

/** The role a member holds in one organization. */
export const Role = Schema.Literals(["owner", "admin", "agent", "viewer"])
export type Role = typeof Role.Type

/**
 * Actor: a signed-in user, an automation token, a plugin, an operator at the command line, an operator token, the service itself, or a delegate. A
 * delegate is a job on behalf of another actor, an automation or a workflow.
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
      /** The person responsible for the token. */
      readonly responsibleUserId: UserId
      readonly permissions: ReadonlySet<Permission>
    }
  | {
      readonly kind: "plugin"
      readonly pluginId: PluginId
      /** Plugin token of the call. */
      readonly tokenId: AutomationTokenId
      readonly permissions: ReadonlySet<Permission>
    }
  | { readonly kind: "operator"; readonly name: string }
  /** Program of an operator. It has no permission in any organization. */
  | {
      readonly kind: "operator_token"
      readonly tokenId: OperatorTokenId
      readonly scopes: ReadonlySet<OperatorScope>
    }
  | { readonly kind: "system"; readonly name: string }
  | {
      readonly kind: "delegate"
      readonly for: ActorRef
      /** Run of the automation or workflow that acts. */
      readonly runId?: string
      /** Permissions at the time of the request for the work. */
      readonly permissions: ReadonlySet<Permission>
    }

/**
 * Actor of the call. Only an edge (HTTP, command line, job) provides it.
 *
 * @effect-leakable-service
 */
export class CurrentActor extends Context.Service<CurrentActor, Actor>()("@parley/domain/kernel/CurrentActor") {}

/** Whether the actor holds the permission. Operators and the service itself hold all of them, operator tokens none. */
export const hasPermission = (actor: Actor, permission: Permission): boolean =>
  actor.kind === "operator" ||
  actor.kind === "system" ||
  (actor.kind !== "operator_token" && actor.permissions.has(permission))

/** Returns every permission of the actor. */
export const permissionsOf = (actor: Actor): ReadonlySet<Permission> => {
  if (actor.kind === "operator_token") return new Set()
  return actor.kind === "operator" || actor.kind === "system" ? new Set(Permission.literals) : actor.permissions
}

/** Reference to the actor in the audit trail and in events. */
export const ActorRef = Schema.Struct({
  kind: Schema.Literals(["user", "token", "plugin", "automation", "workflow", "operator", "operator_token", "system"]),
  id: Schema.String
}).annotate({ identifier: "ActorRef" })
export type ActorRef = typeof ActorRef.Type

export const toActorRef = (actor: Actor): ActorRef => {
  switch (actor.kind) {
    case "user":
      return { kind: "user", id: actor.userId }
    case "token":
      return { kind: "token", id: actor.tokenId }
    case "plugin":
      return { kind: "plugin", id: actor.pluginId }
    case "operator":
      return { kind: "operator", id: actor.name }
    case "operator_token":
      return { kind: "operator_token", id: actor.tokenId }
    case "system":
      return { kind: "system", id: actor.name }
    case "delegate":
      return actor.for
  }
}

export const OrganizationId = Uuid.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/** Owner of lanes and idempotency keys without an organization. No organization has this id. */
export const noOrganization = OrganizationId.make("00000000-0000-0000-0000-000000000000")

/**
 * The tenant every use case and every port call runs inside. There is no default.
 *
 * @effect-leakable-service
 */
export class CurrentOrganization extends Context.Service<CurrentOrganization, { readonly id: OrganizationId }>()(
  "@parley/domain/kernel/CurrentOrganization"
) {}

/** Services that every tenant-scoped port call requires: the organization and the actor. */
export type Tenancy = CurrentOrganization | CurrentActor

type InTenant<Answer> =
  Answer extends Effect.Effect<infer A, infer E, infer R>
    ? Effect.Effect<A, E, R | Tenancy>
    : Answer extends Stream.Stream<infer A, infer E, infer R>
      ? Stream.Stream<A, E, R | Tenancy>
      : never

/**
 * Adds the tenant and the actor to the requirements of each method of a port. A call without them does not compile. A method with type parameters
 * would lose them here; it is declared outside, and requires `Tenancy` itself.
 */
export type TenantScoped<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => InTenant<Answer>
    : never
}

/** Runs an effect in an organization as this part of the service, without a person. */
export const asSystem =
  (name: string) =>
  (id: OrganizationId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id }),
      Effect.provideService(CurrentActor, { kind: "system", name })
    )

/** Current request as provided by an edge. Its id is in the audit trail and in every problem. */
export const CurrentRequest = Context.Reference<{ readonly id: string | null }>(
  "@parley/domain/kernel/CurrentRequest",
  { defaultValue: () => ({ id: null }) }
)
