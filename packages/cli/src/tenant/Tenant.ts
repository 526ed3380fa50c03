import type { OrganizationId } from "@parley/domain/kernel"
import type { ParleyClient } from "@parley/http-adapter/client"
import type { Effect, Option, Stream } from "effect"
import type { Failure } from "../console/Failure.ts"

type Client = ParleyClient.Client

type Call<Method> = Method extends (...args: infer Args) => Effect.Effect<infer A, infer _E>
  ? (...args: Args) => Effect.Effect<A, Failure>
  : Method extends (...args: infer Args) => Stream.Stream<infer A, infer _E>
    ? (...args: Args) => Stream.Stream<A, Failure>
    : never

/** Every call of the API contract in one organization, by area and name. */
export type Calls = {
  readonly [Area in keyof Client]: { readonly [Name in keyof Client[Area]]: Call<Client[Area][Name]> }
}

/** A row of the event feed. */
export type Followed = Effect.Success<ReturnType<Client["events"]["list"]>>["data"][number]

/** One organization on a database or on a service. Commands are written against this interface. */
export interface Tenant extends Calls {
  /** Name that users type. */
  readonly name: string
  readonly id: OrganizationId
  /** Calls of the same organization as one of its members, because some actions require a member. */
  readonly as: (member: Option.Option<string>) => Effect.Effect<Calls, Failure>
  /** Refuses while the background work of this database is on hold. */
  readonly requireNoHold: Effect.Effect<void, Failure>
  /** Runs the background work that a command waits for, if no service runs it. */
  readonly working: Effect.Effect<never>
}
