import { Context, Effect, Layer } from "effect"
import { type ActorRef, Permission, type Tenancy, type TenantScoped, withContext } from "../../kernel/index.ts"

/** Finds the current permissions of one kind of actor. */
export interface Requesters<R> {
  readonly kind: ActorRef["kind"]
  /** `null` for an actor that is removed, disabled, revoked or expired. */
  readonly permissions: (id: string) => Effect.Effect<ReadonlySet<Permission> | null, never, R>
}

const everything: ReadonlySet<Permission> = new Set(Permission.literals)

export class RequesterRights extends Context.Service<
  RequesterRights,
  TenantScoped<{
    /** `null` for a requester that is removed, disabled, revoked or expired. Operators and the service itself hold all permissions. */
    readonly find: (requester: ActorRef) => Effect.Effect<ReadonlySet<Permission> | null>
  }>
>()("@parley/domain/platform/jobs/RequesterRights") {}

type Needs<A> = A extends Requesters<infer R> ? Exclude<R, Tenancy> : never

/** Joins the kinds of requesters of all areas. */
export const layerRequesterRightsOf = <A extends Requesters<unknown>>(
  requesters: ReadonlyArray<A>
): Layer.Layer<RequesterRights, never, Needs<A>> =>
  Layer.effect(
    RequesterRights,
    Effect.contextWith((outside: Context.Context<Needs<A>>) => {
      const reading = withContext<Tenancy>(outside)
      return Effect.succeed(
        RequesterRights.of({
          find: ({ id, kind }) => {
            const found = requesters.find((each) => each.kind === kind)
            return found === undefined ? Effect.succeed(everything) : reading(found.permissions(id))
          }
        })
      )
    })
  )
