import { Schema } from "effect"

const What = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("latency"), millis: Schema.Finite }),
  /** Refused with this status; 429 has `Retry-After`. */
  Schema.Struct({
    kind: Schema.Literal("status"),
    status: Schema.Int,
    body: Schema.optionalKey(Schema.String),
    headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
  }),
  /** Throttled, regardless of the remaining points. */
  Schema.Struct({ kind: Schema.Literal("throttled") }),
  /** An error of the query language with this code. */
  Schema.Struct({ kind: Schema.Literal("error"), code: Schema.String, message: Schema.optionalKey(Schema.String) }),
  /** Export that fails after its start. */
  Schema.Struct({
    kind: Schema.Literal("bulk_failure"),
    code: Schema.Literals(["ACCESS_DENIED", "INTERNAL_SERVER_ERROR", "TIMEOUT"])
  }),
  Schema.Struct({ kind: Schema.Literal("hang"), done: Schema.optionalKey(Schema.Boolean) }),
  /** Loses the response; the call takes effect by default. */
  Schema.Struct({ kind: Schema.Literal("reset"), done: Schema.optionalKey(Schema.Boolean) }),
  /** The answer breaks off in the middle. */
  Schema.Struct({ kind: Schema.Literal("truncate") })
])

/** Scripted failure: the kind, the affected calls and the count. */
export const Misbehaviour = Schema.Struct({
  on: Schema.Literals(["token", "graphql", "file", "any"]),
  times: Schema.optionalKey(Schema.Int),
  /** Only for this shop. */
  shop: Schema.optionalKey(Schema.String),
  /** Limits the failure to calls with this field (`orders`, `bulkOperationRunQuery`) or grant (`refresh_token`). */
  name: Schema.optionalKey(Schema.String),
  what: What
})
export type Misbehaviour = typeof Misbehaviour.Type

/** Scripted failures of deliveries. */
export const DeliveryMisbehaviour = Schema.Struct({
  /** Each delivery is sent that many times more. */
  duplicates: Schema.optionalKey(Schema.Int),
  /** Each delivery comes that much later. */
  lateMillis: Schema.optionalKey(Schema.Finite),
  /** Number of deliveries to hold and then send in reverse order. */
  reverse: Schema.optionalKey(Schema.Int),
  /** Number of next deliveries to drop. */
  lose: Schema.optionalKey(Schema.Int),
  /** Signs with something else. */
  forge: Schema.optionalKey(Schema.Boolean)
})
export type DeliveryMisbehaviour = typeof DeliveryMisbehaviour.Type

export type CallKind = "token" | "graphql" | "file"

/** Scripted errors that have not occurred yet, in order. */
export const makeScript = () => {
  const script: Array<{ readonly rule: Misbehaviour; left: number }> = []
  return {
    add: (rule: Misbehaviour) => {
      const left = rule.times ?? 1
      if (left > 0) script.push({ rule, left })
    },
    clear: () => {
      script.length = 0
    },
    /** Returns the next scripted error for such a call and removes it. */
    take: (call: CallKind, shop: string, names: ReadonlyArray<string>): Misbehaviour["what"] | null => {
      const place = script.findIndex(
        ({ rule }) =>
          (rule.on === call || rule.on === "any") &&
          (rule.shop === undefined || rule.shop === shop) &&
          (rule.name === undefined || names.includes(rule.name))
      )
      const found = script[place]
      if (found === undefined) return null
      found.left -= 1
      if (found.left === 0) script.splice(place, 1)
      return found.rule.what
    }
  }
}
export type Script = ReturnType<typeof makeScript>
