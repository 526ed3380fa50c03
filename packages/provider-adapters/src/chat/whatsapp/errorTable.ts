import type { RefusalScope, Remedy } from "@parley/domain/messaging"

/** Consequence of an error code, and one sentence for the tenant with the next step. */
export interface ErrorClass {
  readonly remedy: Remedy
  readonly advice: string
  /** Numbers that a stop concerns. */
  readonly scope: RefusalScope
}

type Row = readonly [code: number, remedy: Remedy, advice: string]

const range = (
  first: number,
  last: number,
  remedy: Remedy,
  advice: string,
  except: ReadonlyArray<number> = []
): ReadonlyArray<Row> =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
    .filter((code) => !except.includes(code))
    .map((code): Row => [code, remedy, advice])

const reconnect = "The access token is not valid. Use a new access token."
const noPermission =
  "The access token lacks a permission for this number. Assign the number to the system user, then use a new access token."

const access: ReadonlyArray<Row> = [
  [0, "reauthorize", reconnect],
  [190, "reauthorize", reconnect],
  [
    3,
    "reauthorize",
    "The app lacks the capability or permission. Check the app in Meta's App Dashboard, then use a new access token."
  ],
  [10, "reauthorize", noPermission],
  ...range(200, 299, "reauthorize", noPermission),
  [131_005, "reauthorize", noPermission],
  [33, "stop_account", "The number was deleted at Meta. Connect another number."],
  [368, "stop_account", "Meta has restricted the business account. Open Business Support Home to appeal."],
  [131_031, "stop_account", "Meta has locked the business account. Open Business Support Home to appeal."],
  [
    131_037,
    "stop_account",
    "The display name of the number is not approved. Request a display name in WhatsApp Manager."
  ],
  [131_042, "stop_account", "The payment method has a problem. Check billing in WhatsApp Manager."],
  [131_044, "stop_account", "The business has no valid payment method. Add one in WhatsApp Manager."],
  [131_045, "stop_account", "The registration of the number has a certificate error. Register the number again."]
]

const pace: ReadonlyArray<Row> = [
  [2, "retry", "Meta's service is temporarily unavailable. Parley repeats messages. Repeat other calls later."],
  [131_000, "retry", "Meta reported an unknown error. Parley repeats messages. Repeat other calls later."],
  [131_016, "retry", "Meta's service is temporarily unavailable. Parley repeats messages. Repeat other calls later."],
  [133_004, "retry", "Meta's server is temporarily unavailable. Parley repeats messages. Repeat other calls later."],
  [4, "slow_down", "The app has reached its call limit. Parley sends messages more slowly. Repeat other calls later."],
  [
    80_007,
    "slow_down",
    "The business account has reached its call limit. Parley sends messages more slowly. Repeat other calls later."
  ],
  [
    80_008,
    "slow_down",
    "The business account has reached its call limit. Parley sends messages more slowly. Repeat other calls later."
  ],
  [
    130_429,
    "slow_down",
    "The number has reached its throughput. Parley sends messages more slowly. Repeat other calls later."
  ],
  [131_057, "slow_down", "Meta is upgrading the throughput of the number. Parley waits up to a minute."],
  [2_494_100, "slow_down", "The number is in maintenance at Meta. Parley waits up to a minute."],
  [
    131_056,
    "delay_recipient",
    "Too many messages went to this recipient in a short time. Parley waits before the next one."
  ],
  [
    131_048,
    "stop_campaigns",
    "People reported messages of this number as spam. Broadcasts over it pause. Improve its quality rating."
  ],
  [
    131_064,
    "stop_campaigns",
    "The limit is reached after a template was sent under a wrong category. Correct its category and wait."
  ],
  [
    131_063,
    "stop_campaigns",
    "Marketing templates are not enabled on this interface. Complete the onboarding for the Marketing Messages API."
  ]
]

const recipients: ReadonlyArray<Row> = [
  [130_472, "skip_recipient", "The recipient is part of an experiment of Meta and gets no marketing messages."],
  [130_497, "skip_recipient", "This business cannot send messages to the country of the recipient."],
  [131_021, "skip_recipient", "The recipient is the number that sends. Choose another recipient."],
  [
    131_026,
    "skip_recipient",
    "The message is undeliverable. The recipient has no WhatsApp, an old version, or has not accepted the terms."
  ],
  [
    131_030,
    "skip_recipient",
    "A test number sends only to listed recipients. Add the recipient in Meta's App Dashboard."
  ],
  [131_062, "skip_recipient", "This message needs a phone number. The recipient is known only by a user id."],
  [
    137_000,
    "skip_recipient",
    "The identity of the recipient has changed. Verify the recipient before the next message."
  ],
  [
    131_049,
    "skip_for_now",
    "Meta did not deliver the message because the recipient gets many marketing messages. Wait at least 24 hours."
  ],
  [131_050, "opt_out", "The recipient has stopped marketing messages from this business."],
  [131_047, "needs_template", "The 24-hour window of the recipient is closed. Send a message template."]
]

const templates: ReadonlyArray<Row> = [
  [
    132_000,
    "refresh_template",
    "The number of values differs from the variables of the template. Synchronize the templates."
  ],
  [
    132_001,
    "refresh_template",
    "The template does not exist in this language or is not approved. Synchronize the templates."
  ],
  [132_005, "fix_values", "The filled text of the template is too long. Shorten the values."],
  [132_007, "refresh_template", "The template violates a content policy. Change its text and submit it again."],
  [132_008, "fix_values", "A value of the template has a wrong format. Check the values."],
  [132_012, "fix_values", "A value of the template has a wrong format or media kind. Check the values."],
  [
    132_015,
    "refresh_template",
    "Meta has paused the template because of low quality. Edit it, or wait until the pause ends."
  ],
  [132_016, "refresh_template", "Meta has disabled the template because of low quality. Create another template."],
  [132_018, "fix_values", "A value of the template is not valid. Check the named value."],
  [132_068, "refresh_template", "The flow of the template is blocked. Correct the flow in WhatsApp Manager."],
  [132_069, "try_later", "The flow of the template is throttled to 10 messages per hour. Correct its endpoint."],
  [134_101, "try_later", "The template is still synchronizing for marketing messages. Wait ten minutes."]
]

const ours: ReadonlyArray<Row> = [
  [1, "give_up", "Meta could not process the request. Check its content; Meta's service can also have a fault."],
  [100, "give_up", "A value of the request is not valid, or the object does not exist."],
  [131_008, "give_up", "The request lacks a required value."],
  [131_009, "give_up", "A value of the request is not valid."],
  [131_020, "give_up", "The group has only one member."],
  [131_041, "give_up", "The group is unknown."],
  [131_051, "give_up", "WhatsApp does not support this message type."],
  [131_052, "give_up", "Meta could not download the media file."],
  [131_053, "give_up", "Meta could not accept the media file. Check its type and size."],
  [131_055, "give_up", "This interface accepts marketing templates only."],
  [131_059, "give_up", "The requested limit or page does not exist."],
  [131_060, "give_up", "The message is unavailable, because a linked device of the sender is not supported."],
  [134_011, "stop_campaigns", "The payment terms are not accepted. Accept them in WhatsApp Manager."],
  [134_100, "give_up", "This interface accepts marketing templates only."],
  [134_102, "give_up", "The business account is not onboarded for the Marketing Messages API."],
  [135_000, "give_up", "Meta rejected the request without a specific reason."]
]

const registration: ReadonlyArray<Row> = [
  [133_000, "retry", "An earlier deregistration is incomplete. Deregister the number again, then register it."],
  [
    133_005,
    "give_up",
    "The PIN does not match the PIN of the number. Use the existing PIN, or reset it in WhatsApp Manager."
  ],
  [
    133_006,
    "give_up",
    "The number must be verified again. Request a code and verify the number before the registration."
  ],
  [133_008, "try_later", "The PIN was wrong too often. Wait for the time in the details, then use the correct PIN."],
  [133_009, "try_later", "The PIN was entered too fast. Wait for the time in the details, then try again."],
  [133_010, "stop_account", "The number is not registered. Register it with POST /chat_accounts/{id}/register."],
  [133_015, "try_later", "The number was deleted a moment ago. Wait five minutes, then register it."],
  [133_016, "try_later", "The number was registered or deregistered 10 times in 72 hours. Wait 72 hours."]
]

const coexistence: ReadonlyArray<Row> = [
  [
    2_593_107,
    "give_up",
    "The data of the WhatsApp Business app was requested too often. Each kind can be requested once."
  ],
  [
    2_593_108,
    "give_up",
    "The data of the WhatsApp Business app must be requested within 24 hours after the connection."
  ],
  [2_593_109, "give_up", "The business declined to share the data of the WhatsApp Business app."]
]

const group = "Meta refused the request about the group."
const call = "Meta refused the call."

const others: ReadonlyArray<Row> = [
  ...range(131_201, 131_215, "give_up", group, [131_208]),
  [131_208, "try_later", "The requests about groups have reached their rate. Try again later."],
  ...range(138_000, 138_018, "give_up", call, [138_006, 138_009, 138_012, 138_017]),
  [138_006, "skip_recipient", "The recipient has not permitted calls. Send a call permission request."],
  [138_009, "skip_for_now", "The recipient gets one call permission request per day and two per week. Wait."],
  [138_012, "skip_for_now", "The calls to this recipient have reached the daily limit. Wait 24 hours."],
  [138_017, "skip_recipient", "The recipient has already permitted calls permanently. No request is necessary."],
  ...range(139_000, 139_004, "give_up", "The flow of the message has an error. Correct it in WhatsApp Manager."),
  [139_100, "give_up", "Some of the people could not be blocked or unblocked."],
  [139_101, "give_up", "The block list has reached its limit of 64,000 people. Unblock some."],
  [139_102, "retry", "The block list changed concurrently. Try again."],
  [139_103, "retry", "Meta could not change the block list. Try again."],
  ...range(147_001, 147_005, "give_up", "Meta refused the username.")
]

/** Codes about the business account: restrictions, locks, payment and misclassified templates. All of its numbers are affected. */
const businessCodes: ReadonlySet<number> = new Set([368, 131_031, 131_042, 131_044, 131_064])

const table: ReadonlyMap<number, ErrorClass> = new Map(
  [...access, ...pace, ...recipients, ...templates, ...ours, ...registration, ...coexistence, ...others].map(
    ([code, remedy, advice]) =>
      [code, { remedy, advice, scope: businessCodes.has(code) ? "business_account" : "number" }] as const
  )
)

/** Returns the class of an error code; `null` for an unknown code. */
export const errorClassOf = (code: number): ErrorClass | null => table.get(code) ?? null

/** Returns the remedy for an error code; `null` for an unknown code. */
export const remedyOf = (code: number): Remedy | null => table.get(code)?.remedy ?? null

/** All classified codes with their remedies. */
export const errorTable: ReadonlyArray<readonly [number, Remedy]> = Array.from(table, ([code, { remedy }]) => [
  code,
  remedy
])
