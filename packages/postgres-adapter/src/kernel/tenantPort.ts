import { CurrentOrganization } from "@parley/domain/kernel"
import { Context, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { orDieSqlErrors } from "./defects.ts"

/** Organization of a call. */
export type Organization = typeof CurrentOrganization.Service

/** A port whose methods can fail with `SqlError`. Methods cannot return streams, and their type parameters are erased. */
type SqlMethods<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Effect.Effect<infer A, infer E, infer R>
    ? (...args: Args) => Effect.Effect<A, E | SqlError.SqlError, R>
    : Port[Name] extends Effect.Effect<infer A, infer E, infer R>
      ? Effect.Effect<A, E | SqlError.SqlError, R>
      : never
}

/** The same methods with the organization of the call as first argument. */
export type TenantMethods<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Effect.Effect<infer A, infer E, infer R>
    ? (organization: Organization, ...args: Args) => Effect.Effect<A, E | SqlError.SqlError, R>
    : never
}

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown, CurrentOrganization>

const mapMethods = <Port>(methods: object, wrap: (method: Method) => unknown) =>
  Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      Effect.isEffect(method) ? orDieSqlErrors(method) : wrap(method as Method)
    ])
  ) as Port

/** Implements a port that is not tenant-scoped. `SqlError` becomes a defect or an outage. */
export const storagePort = <Self, Port extends object>(
  port: Context.Service<Self, Port>,
  methods: SqlMethods<Port>
): Port =>
  port.of(
    mapMethods<Port>(
      methods,
      (method) =>
        (...args: ReadonlyArray<unknown>) =>
          orDieSqlErrors(method(...args))
    )
  )

/** Implements a tenant-scoped port: passes the organization as first argument. `SqlError` becomes a defect or an outage. */
export const tenantPort = <Self, Port extends object>(
  port: Context.Service<Self, Port>,
  methods: TenantMethods<Port>
): Port =>
  port.of(
    mapMethods<Port>(
      methods,
      (method) =>
        (...args: ReadonlyArray<unknown>) =>
          orDieSqlErrors(
            Effect.withFiber((fiber) => method(Context.getUnsafe(fiber.context, CurrentOrganization), ...args))
          )
    )
  )
