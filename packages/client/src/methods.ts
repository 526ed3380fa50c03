import type { Operation, Page } from "./operation.ts"
import type { CommonCode, Operations } from "./operations.generated.ts"
import type { ClientCode, Problem } from "./problem.ts"
import type { FeedEvent } from "./schemas.generated.ts"

/** The outcome of a call: either `data` or `problem`. */
export type Result<Data, Code extends string = string> =
  | { readonly data: Data; readonly problem?: undefined; readonly response: Response }
  | { readonly data?: undefined; readonly problem: Problem<Code>; readonly response: Response | null }

/** Settings of one call. */
export interface CallOptions {
  /** Acts in this organization instead of the organization of the client. */
  readonly organizationId?: string
  /** Repeats an earlier call with this key. Default: a new key for each call. */
  readonly idempotencyKey?: string
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the call with the problem `aborted`. */
  readonly signal?: AbortSignal
  /** Time limit of one attempt in milliseconds. */
  readonly timeout?: number
}

/** Settings of a connection to the event feed. */
export interface FollowOptions extends Pick<CallOptions, "headers" | "organizationId" | "signal"> {
  /** Receives `true` when the feed is connected, and `false` when the connection is lost. */
  readonly onConnection?: (isConnected: boolean) => void
}

/** The position in the event feed to start from. Default: now. */
export interface FollowFrom {
  /** Starts after this cursor. */
  readonly after?: string
  /** Starts at this time, if `after` is absent. Up to five minutes of earlier events can be included. */
  readonly since?: string
  /** Event types such as `message.received`, or prefixes such as `contact.*`. */
  readonly type?: ReadonlyArray<string>
}

/** Follows the events as they happen, each once and in order. Reconnects until the signal ends it; throws a `ParleyProblem`. */
export type Follow = (from?: FollowFrom, options?: FollowOptions) => AsyncIterable<FeedEvent>

type AnyOperation = Operation<object, unknown, string, unknown>

type Arguments<Input> = {} extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions]

type NotJson<Input> = Input extends { readonly format?: infer Format }
  ? Omit<Input, "format"> & { readonly format: Exclude<Format, "json" | undefined> }
  : never

type Call<Op extends AnyOperation, Answer, Other> = [Op["other"]] extends [never]
  ? (...args: Arguments<Op["input"]>) => Promise<Answer>
  : {
      (input: NotJson<Op["input"]>, options?: CallOptions): Promise<Other>
      (...args: Arguments<Omit<Op["input"], "format"> & { readonly format?: "json" }>): Promise<Answer>
    }

/** Reads a list to its end. Both throw a `ParleyProblem`. */
export interface Listing<Input, Row> {
  /** Every row, for `for await`. The next page is requested when its first row is needed. */
  readonly all: (...args: Arguments<Input>) => AsyncIterable<Row>
  /** Every page, for `for await`. */
  readonly pages: (...args: Arguments<Input>) => AsyncIterable<Page<Row>>
}

type ListingOf<Op extends AnyOperation> = [Op["data"]] extends [Page<infer Row>] ? Listing<Op["input"], Row> : unknown

type CodesOf<Op extends AnyOperation> = Op["code"] | CommonCode | ClientCode

/** An operation whose promise resolves to a `Result`. */
export type ResultMethod<Op extends AnyOperation> = Call<
  Op,
  Result<Op["data"], CodesOf<Op>>,
  Result<Op["other"], CodesOf<Op>>
> &
  ListingOf<Op>

/** An operation whose promise resolves to the data, and rejects with a `ParleyProblem`. */
export type ThrowingMethod<Op extends AnyOperation> = Call<Op, Op["data"], Op["other"]> & ListingOf<Op>

type EventsExtras<Area> = Area extends "events" ? { readonly follow: Follow } : unknown

export type ResultAreas<Area extends keyof Operations> = {
  readonly [Name in Area]: {
    readonly [Op in keyof Operations[Name]]: Operations[Name][Op] extends AnyOperation
      ? ResultMethod<Operations[Name][Op]>
      : never
  } & EventsExtras<Name>
}

export type ThrowingAreas<Area extends keyof Operations> = {
  readonly [Name in Area]: {
    readonly [Op in keyof Operations[Name]]: Operations[Name][Op] extends AnyOperation
      ? ThrowingMethod<Operations[Name][Op]>
      : never
  } & EventsExtras<Name>
}

/** A client of these areas. Methods resolve to `{ data }` or `{ problem }`. */
export type ParleyOf<Area extends keyof Operations> = ResultAreas<Area> & {
  /** The same client with methods that resolve to the data and throw problems. */
  readonly throwing: () => ThrowingParleyOf<Area>
  /** The same client with another organization. It shares the session. */
  readonly inOrganization: (organizationId: string) => ParleyOf<Area>
}

/** A client of these areas. Methods resolve to the data and throw a `ParleyProblem`. */
export type ThrowingParleyOf<Area extends keyof Operations> = ThrowingAreas<Area> & {
  /** The same client with another organization. It shares the session. */
  readonly inOrganization: (organizationId: string) => ThrowingParleyOf<Area>
}

/** A client of the whole API. */
export type Parley = ParleyOf<keyof Operations>

/** A client of the whole API whose methods throw. */
export type ThrowingParley = ThrowingParleyOf<keyof Operations>

/** The input of a method: `InputOf<Parley["contacts"]["create"]>`. */
export type InputOf<Method extends (...args: never) => unknown> = Exclude<Parameters<Method>[0], undefined>
