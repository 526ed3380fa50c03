import { Context, Effect, Schema } from "effect"
import { CurrentActor, hasPermission, type TenantScoped } from "./CurrentActor.ts"
import { Permission } from "./Permission.ts"
import { PermissionDenied } from "./errors.ts"

/** Features that a plan may exclude. */
export const Feature = Schema.Literals(["automations", "workflows", "plugins"])
export type Feature = typeof Feature.Type

/** Plans, smallest first. */
export const PlanName = Schema.Literals(["free", "growth", "scale"])
export type PlanName = typeof PlanName.Type

/** Write to a feature that the organization's plan excludes. */
export class FeatureNotInPlan extends Schema.TaggedError<FeatureNotInPlan>()("FeatureNotInPlan", {
  feature: Feature,
  plan: PlanName,
  availableIn: Schema.Array(PlanName)
}) {
  override get message() {
    return `The plan ${this.plan} does not include ${this.feature}. It is available in: ${this.availableIn.join(", ")}.`
  }
}

/** Admits a use case if the organization's plan includes the feature. The `entitlements` area implements it. */
export class FeatureGate extends Context.Service<
  FeatureGate,
  TenantScoped<{
    readonly require: (feature: Feature) => Effect.Effect<void, FeatureNotInPlan>
  }>
>()("@parley/domain/kernel/FeatureGate") {}

/** Permissions of everything that a definition or a filter reaches. */
export type RequiredPermissions = ReadonlySet<Permission>

export const mergeRequiredPermissions = (sets: Iterable<Iterable<Permission>>): RequiredPermissions =>
  new Set(Array.from(sets).flatMap((set) => Array.from(set)))

/** Fails with the first permission, in catalog order, that the current actor does not hold. */
export const requirePermissions = Effect.fnUntraced(function* (needs: Iterable<Permission>) {
  const actor = yield* CurrentActor
  const wanted = new Set(needs)
  const denied = Permission.literals.find((permission) => wanted.has(permission) && !hasPermission(actor, permission))
  if (denied !== undefined) return yield* new PermissionDenied({ permission: denied })
})

/**
 * Proves that the running use case declares `actsThrough`. Only `useCase` provides it. A call of `requireReach` without the declaration does not
 * compile. A declaration without the call does not compile either.
 */
export class Reach extends Context.Service<Reach, { readonly useCase: string }>()("@parley/domain/kernel/Reach") {}

/** Fails unless the current actor holds all permissions that a definition reaches. Use cases call it for their definition. */
export const requireReach = (needs: Iterable<Permission>) => Effect.andThen(Reach, requirePermissions(needs))

/**
 * Parent of a credential. `credential`: another credential, checked on every use. `record`: a record; its end or change ends the credential. `none`:
 * the credential grants no rights that need an end.
 */
export type CredentialParent =
  | { readonly kind: "credential"; readonly name: string }
  | { readonly kind: "record"; readonly name: string; readonly reason: string }
  | { readonly kind: "none"; readonly reason: string }

/** A credential and its parent. It is admitted only while the parent is valid. */
export interface Credential {
  readonly name: string
  readonly parent: CredentialParent
}

/** Declares the credentials of an area. */
export const defineCredentials = <const All extends ReadonlyArray<Credential>>(...all: All): All => all
