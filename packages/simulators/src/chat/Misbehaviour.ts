import { Schema } from "effect"

const What = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("latency"), millis: Schema.Finite }),
  /** Refused with a code of the provider. */
  Schema.Struct({
    kind: Schema.Literal("error"),
    code: Schema.Int,
    status: Schema.optionalKey(Schema.Int),
    details: Schema.optionalKey(Schema.String)
  }),
  /** Answered by something that is not the provider: a proxy, a balancer. */
  Schema.Struct({
    kind: Schema.Literal("raw"),
    status: Schema.Int,
    body: Schema.String,
    headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    /** Whether the call was done before it was answered so. */
    done: Schema.optionalKey(Schema.Boolean)
  }),
  /** Executed, and answered only afterwards. */
  Schema.Struct({ kind: Schema.Literal("late"), millis: Schema.Finite }),
  Schema.Struct({ kind: Schema.Literal("hang"), done: Schema.optionalKey(Schema.Boolean) }),
  Schema.Struct({ kind: Schema.Literal("reset"), done: Schema.optionalKey(Schema.Boolean) }),
  /** The answer breaks off in the middle. */
  Schema.Struct({ kind: Schema.Literal("truncate") }),
  /** Accepted, and then a receipt says that it has failed. */
  Schema.Struct({ kind: Schema.Literal("fail_receipt"), code: Schema.Int }),
  /** Accepted, and no receipt ever comes. */
  Schema.Struct({ kind: Schema.Literal("no_receipts") }),
  /** Accepted and held until the quality of the template is assessed. */
  Schema.Struct({ kind: Schema.Literal("held") }),
  /** Accepted with the status `paused`; a receipt reports the failure. */
  Schema.Struct({ kind: Schema.Literal("paused") })
])

/** Kinds of calls: `health` reads numbers, `numbers` registers and verifies them, `accounts` are business accounts. */
export const callKinds = [
  "messages",
  "media",
  "templates",
  "health",
  "numbers",
  "accounts",
  "signup",
  "uploads",
  "settings"
] as const
export type CallKind = (typeof callKinds)[number]

/** Scripted failure: the kind, the affected calls and the count. */
export const Misbehaviour = Schema.Struct({
  on: Schema.Literals([...callKinds, "any"]),
  times: Schema.optionalKey(Schema.Int),
  /** Only for messages to this customer: a phone number, or a user id. */
  to: Schema.optionalKey(Schema.String),
  what: What
})
export type Misbehaviour = typeof Misbehaviour.Type

/** Scripted failures of deliveries. */
export const DeliveryMisbehaviour = Schema.Struct({
  /** Each delivery is sent that many times more. */
  duplicates: Schema.optionalKey(Schema.Int),
  /** Later events overtake earlier ones within a batch, and batches each other. */
  shuffle: Schema.optionalKey(Schema.Boolean),
  /** Batches events, up to a maximum count and a maximum wait. */
  batch: Schema.optionalKey(Schema.Struct({ most: Schema.Int, waitMillis: Schema.Finite })),
  /** Signs with something else. */
  forge: Schema.optionalKey(Schema.Boolean)
})
export type DeliveryMisbehaviour = typeof DeliveryMisbehaviour.Type

/** Scripted faults that have not occurred yet, in order. */
export const makeScript = () => {
  let script: ReadonlyArray<{ readonly rule: Misbehaviour; left: number }> = []
  return {
    add: (rule: Misbehaviour) => {
      script = [...script, { rule, left: rule.times ?? 1 }]
    },
    clear: () => {
      script = []
    },
    /** The next one for such a call, which is used up by it. */
    take: (call: CallKind, to: ReadonlyArray<string>): Misbehaviour["what"] | null => {
      const found = script.find(
        ({ left, rule }) =>
          left > 0 && (rule.on === call || rule.on === "any") && (rule.to === undefined || to.includes(rule.to))
      )
      if (found === undefined) return null
      found.left -= 1
      return found.rule.what
    }
  }
}
export type Script = ReturnType<typeof makeScript>
