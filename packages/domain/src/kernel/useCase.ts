import { Cause, Context, Effect, Tracer } from "effect"
import { type Actor, CurrentActor, type CurrentOrganization, hasPermission } from "./CurrentActor.ts"
import type { OperatorScope } from "./OperatorScope.ts"
import type { Permission } from "./Permission.ts"
import { type Feature, FeatureGate, type FeatureNotInPlan, Reach } from "./access.ts"
import { PermissionDenied, ScopeDenied } from "./errors.ts"

/** Access to a use case: public, any signed-in user, plugins about themselves, operators only, or actors with a permission. */
export type UseCaseAccess =
  | "public"
  | "user"
  | "plugin"
  | "operator"
  | {
      readonly permission: Permission
      /** Plugins may use it on their own resources without the permission. The use case checks the ownership. */
      readonly alsoPlugins?: true
    }

/** Kind of definition whose actions a use case starts. `nothing`: it starts none. */
export type ActsThrough = "automation" | "workflow" | "broadcast" | "webhook_subscription" | "plugin" | "nothing"

/** The user's specification calls this mechanism PlanGatable. */
export interface PlanGatable {
  /** Required plan feature of the organization. */
  readonly feature?: Feature
}

/** Declaration of a use case. It alone decides the access, and it lists the lasting effects of the success path. */
export interface UseCaseDeclaration extends PlanGatable {
  readonly name: string
  readonly access: UseCaseAccess
  /** Scope with which operator tokens can run a use case for operators. Absent: no operator token can. */
  readonly operatorScope?: OperatorScope
  /** The use case must call `requireReach` with all permissions of the definition, unless this is `nothing`. */
  readonly actsThrough?: ActsThrough
  /** Operators may run it without the feature, because it removes resources from an earlier plan. */
  readonly ungatedFor?: "operators"
  /** Action of the entry in the audit trail. Absent: the use case records none. */
  readonly audit?: string
  /** Types of the events that one call appends. */
  readonly emits?: ReadonlyArray<string>
}

type AccessError<D extends UseCaseDeclaration> =
  | (D["access"] extends "public" ? never : PermissionDenied)
  | (D extends { readonly operatorScope: OperatorScope } ? ScopeDenied : never)
  | (D extends { readonly feature: Feature } ? FeatureNotInPlan : never)

type RequiredServices<D extends UseCaseDeclaration> =
  | (D["access"] extends "public" ? never : CurrentActor)
  | (D extends { readonly feature: Feature } ? FeatureGate | CurrentOrganization | CurrentActor : never)

type DeclaresActsThrough<D extends UseCaseDeclaration> =
  D["actsThrough"] extends Exclude<ActsThrough, "nothing"> ? true : false

/** `useCase` provides it to use cases that declare `actsThrough`. */
type RemainingServices<D extends UseCaseDeclaration, R> = DeclaresActsThrough<D> extends true ? Exclude<R, Reach> : R

/** Type of a use case that declares `actsThrough` without the call. It is not callable. */
interface MissingReachCall {
  readonly fault: "A use case that declares actsThrough must call requireReach."
}

type CallsRequireReach<D extends UseCaseDeclaration, R> =
  DeclaresActsThrough<D> extends true ? (Reach extends R ? true : false) : true

/** Arguments of a use case: none, or one input object. A second argument or a single value does not compile. */
export type UseCaseArguments = readonly [input?: object]

/** Use case: a function that checks its declaration before it runs. */
export interface UseCase<Args extends UseCaseArguments, A, E, R> {
  (...args: Args): Effect.Effect<A, E, R>
  readonly declaration: UseCaseDeclaration
}

const requireOperator = (actor: Actor, scope: OperatorScope | undefined) => {
  if (actor.kind === "operator" || actor.kind === "system") return Effect.void
  if (actor.kind !== "operator_token" || scope === undefined) return new PermissionDenied({ permission: "operator" })
  return actor.scopes.has(scope) ? Effect.void : new ScopeDenied({ scope })
}

const requireAccess = ({ access, operatorScope }: UseCaseDeclaration) =>
  Effect.flatMap(CurrentActor, (actor): Effect.Effect<void, PermissionDenied | ScopeDenied> => {
    if (access === "public") return Effect.void
    if (access === "user") return actor.kind === "user" ? Effect.void : new PermissionDenied({ permission: "user" })
    if (access === "plugin")
      return actor.kind === "plugin" ? Effect.void : new PermissionDenied({ permission: "plugin" })
    if (access === "operator") return requireOperator(actor, operatorScope)
    if (access.alsoPlugins === true && actor.kind === "plugin") return Effect.void
    return hasPermission(actor, access.permission)
      ? Effect.void
      : new PermissionDenied({ permission: access.permission })
  })

const requireFeature = (feature: Feature) => Effect.flatMap(FeatureGate, (plan) => plan.require(feature))

const requireFeatureUnlessOperator = (feature: Feature) =>
  Effect.flatMap(CurrentActor, ({ kind }) => (kind === "operator" ? Effect.void : requireFeature(feature)))

const makeAccessCheck = (
  declaration: UseCaseDeclaration
): Effect.Effect<
  void,
  PermissionDenied | ScopeDenied | FeatureNotInPlan,
  CurrentActor | FeatureGate | CurrentOrganization
> | null => {
  const { access, feature, ungatedFor } = declaration
  if (access === "public") return feature === undefined ? null : requireFeature(feature)
  if (feature === undefined) return requireAccess(declaration)
  return Effect.andThen(
    requireAccess(declaration),
    ungatedFor === "operators" ? requireFeatureUnlessOperator(feature) : requireFeature(feature)
  )
}

const accessGranted = Symbol("access granted")

const isAccessGranted = ({ reasons }: Cause.Cause<unknown>) =>
  reasons.some((reason) => Cause.isDieReason(reason) && reason.defect === accessGranted)

/** Whether use cases stop after the check of their access. */
const StopsAfterAccess = Context.Reference<boolean>("@parley/domain/kernel/StopsAfterAccess", {
  defaultValue: () => false
})

/**
 * Runs an effect up to the body of its first use case. Fails with the refusal if the current actor cannot call the use case now. An edge calls it before
 * it repeats the answer of an earlier call.
 */
export const checkAccess = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, E, R> =>
  effect.pipe(
    Effect.provideService(StopsAfterAccess, true),
    Effect.andThen(Effect.die(new Error("The effect calls no use case."))),
    Effect.catchCause((cause) => (isAccessGranted(cause) ? Effect.void : Effect.failCause(cause)))
  )

/** The native tracer has no exporter, so its spans would only add cost. */
const withTraceSpan = <A, E, R>(effect: Effect.Effect<A, E, R>, name: string): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? effect : Effect.withSpan(effect, name)
  )

/** Makes a use case of its declaration and its function. */
export const useCase = <Args extends UseCaseArguments, A, E, R, const D extends UseCaseDeclaration>(
  declaration: D,
  run: (...args: Args) => Effect.Effect<A, E, R>
): CallsRequireReach<D, R> extends true
  ? UseCase<Args, A, E | AccessError<D>, RemainingServices<D, R> | RequiredServices<D>>
  : MissingReachCall => {
  const check = makeAccessCheck(declaration)
  const { actsThrough = "nothing", name } = declaration
  // The wrapper passes the input object on as it is, because it runs on every call.
  const runInput = run as unknown as (input: Args[0]) => Effect.Effect<A, E, R>
  const body =
    actsThrough === "nothing"
      ? runInput
      : (input: Args[0]) => Effect.provideService(runInput(input), Reach, { useCase: name })
  const afterCheck = (input: Args[0]) =>
    Effect.withFiber<A, E, R>((fiber) =>
      fiber.getRef(StopsAfterAccess) ? Effect.die(accessGranted) : (body(input) as Effect.Effect<A, E, R>)
    )
  const call = (input: Args[0]) =>
    withTraceSpan(check === null ? afterCheck(input) : Effect.andThen(check, afterCheck(input)), name)
  return Object.assign(call, { declaration }) as never
}

/** Whether an exported value is a use case with a declaration. */
export const isUseCase = (value: unknown): value is UseCase<readonly [input: never], unknown, unknown, unknown> =>
  typeof value === "function" && "declaration" in value
