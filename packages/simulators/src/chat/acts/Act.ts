import { Schema } from "effect"
import { partnerEvents } from "../events.ts"
import { nameStatuses, numberStatuses } from "../world/NumberState.ts"

const Text = Schema.String
const optional = Schema.optionalKey
const Flag = optional(Schema.Boolean)

const act = <const Name extends string, Fields extends Schema.Struct.Fields>(name: Name, fields: Fields) =>
  Schema.Struct({ act: Schema.Literal(name), ...fields })

const Number = { phoneId: Text }
const Account = { businessId: Text }
const Template = { businessId: Text, name: Text, language: Text }
/** A phone number, or a user id. */
const Person = { phoneId: Text, customer: Text }

const Disconnection = Schema.Struct({ reason: Text, initiatedBy: Schema.Literals(["SYSTEM", "USER"]) })

const accountActs = [
  act("partner", { ...Account, event: Schema.Literals(partnerEvents), disconnection: optional(Disconnection) }),
  /** The other shape of PARTNER_REMOVED: the entry id is the account. */
  act("coexistence_removed", Number),
  act("account_update", { ...Account, value: Schema.Record(Text, Schema.Unknown) }),
  act("ban", { ...Account, state: Schema.Literals(["DISABLE", "REINSTATE", "SCHEDULE_FOR_DISABLE"]) }),
  act("restrict", {
    ...Account,
    restrictions: Schema.Array(
      Schema.Struct({
        type: Text,
        expiration: Schema.NullOr(Schema.Union([Schema.Int, Text])),
        remediation: optional(Text)
      })
    ),
    phoneNumber: optional(Text),
    violation: optional(Text)
  }),
  act("review", { ...Account, decision: Schema.Literals(["APPROVED", "REJECTED", "PENDING", "DEFERRED"]) }),
  act("limit", { ...Account, limit: Schema.Union([Text, Schema.Int]) }),
  act("set_account", {
    ...Account,
    /** Portfolio of the account. */
    ownerId: optional(Text),
    businessVerification: optional(Schema.Literals(["VERIFIED", "NOT_VERIFIED"])),
    hasPaymentMethod: Flag,
    hasCatalog: Flag,
    isMarketingOnCloudApi: Flag,
    messagingLimit: optional(Text),
    maxPhoneNumbers: optional(Schema.Int),
    marketingOnboarding: optional(Schema.Literals(["ONBOARDED", "ELIGIBLE", "INELIGIBLE"]))
  }),
  /** An override of the webhook address, without a verification. */
  act("set_override", { ...Account, url: Text }),
  act("set_token", {
    token: Text,
    isRevoked: Flag,
    expiresInMillis: optional(Schema.Finite),
    scopes: optional(Schema.Array(Text))
  })
] as const

const numberActs = [
  act("set_number", {
    ...Number,
    status: optional(Schema.Literals(numberStatuses)),
    codeVerification: optional(Schema.Literals(["VERIFIED", "NOT_VERIFIED", "EXPIRED"])),
    nameStatus: optional(Schema.Literals(nameStatuses)),
    quality: optional(Schema.Literals(["GREEN", "YELLOW", "RED", "NA", "UNKNOWN"])),
    pin: optional(Schema.NullOr(Text)),
    isOfficial: Flag
  }),
  act("number_quality", { ...Number, event: Text }),
  act("number_name", {
    ...Number,
    decision: Schema.Literals(["APPROVED", "DEFERRED", "PENDING", "REJECTED"]),
    reason: optional(Text)
  }),
  act("security", { ...Number, event: Schema.Literals(["PIN_CHANGED", "PIN_RESET_REQUEST", "PIN_REQUEST_SUCCESS"]) }),
  act("username", { ...Number, username: Text, status: Schema.Literals(["approved", "reserved", "deleted"]) }),
  act("value_error", { ...Number, code: Schema.Int, details: Text })
] as const

const templateActs = [
  act("template_quality", { ...Template, score: Schema.Literals(["GREEN", "YELLOW", "RED", "UNKNOWN"]) }),
  act("template_category", { ...Template, category: Text, isAnnounced: Flag }),
  act("template_components", Template),
  act("release_held", Template),
  act("pause_by_pacing", Template)
] as const

const customerActs = [
  act("set_customer", {
    customer: Text,
    name: optional(Text),
    username: optional(Schema.NullOr(Text)),
    parentUserId: optional(Schema.NullOr(Text)),
    /** Receipt with the price, in addition to `sent`. */
    pricedReceipt: optional(Schema.Literals(["delivered", "read"])),
    isOnline: Flag,
    reachable: Flag
  }),
  act("change_number", { ...Person, phone: Text }),
  act("change_user_id", Person),
  act("change_identity", Person),
  act("payment", {
    ...Person,
    messageId: Text,
    reference: Text,
    status: Schema.Literals(["captured", "pending", "failed"]),
    value: Schema.Int
  }),
  act("call", {
    ...Person,
    id: optional(Text),
    direction: Schema.Literals(["USER_INITIATED", "BUSINESS_INITIATED"]),
    ended: Schema.NullOr(Schema.Struct({ status: Schema.Literals(["COMPLETED", "FAILED"]), seconds: Schema.Int })),
    payload: optional(Text)
  }),
  /** An agent of the provider holds the conversation, writes in it, and passes the control to the app. */
  act("agent_holds", Person),
  act("agent_writes", { ...Person, text: Text }),
  act("agent_passes", Person),
  act("call_status", { ...Person, id: Text, status: Schema.Literals(["RINGING", "ACCEPTED", "REJECTED"]) })
] as const

const groupActs = [
  act("create_group", { ...Number, subject: Text, isApprovalRequired: Flag }),
  act("join_group", { ...Person, groupId: Text }),
  act("leave_group", { ...Person, groupId: Text }),
  act("delete_group", { ...Number, groupId: Text }),
  act("group_event", { ...Number, groupId: Text, event: Text, details: optional(Schema.Record(Text, Schema.Unknown)) })
] as const

const coexistenceActs = [
  act("sync_contacts", {
    ...Number,
    contacts: Schema.Array(
      Schema.Struct({
        phone: Text,
        fullName: optional(Text),
        firstName: optional(Text),
        action: optional(Schema.Literals(["add", "remove"]))
      })
    )
  }),
  act("history", {
    ...Number,
    phase: Schema.Literals([0, 1, 2]),
    order: Schema.Int,
    progress: Schema.Int,
    threads: Schema.Array(Schema.Struct({ phone: Text, messages: Schema.Array(Schema.Record(Text, Schema.Unknown)) }))
  }),
  act("history_media", { ...Number, messages: Schema.Array(Schema.Record(Text, Schema.Unknown)) }),
  act("decline_history", Number)
] as const

/** Something that happens at the provider. */
export const Act = Schema.Union([
  ...accountActs,
  ...numberActs,
  ...templateActs,
  ...customerActs,
  ...groupActs,
  ...coexistenceActs
])
export type Act = typeof Act.Type
export type ActOf<Name extends Act["act"]> = Extract<Act, { readonly act: Name }>
