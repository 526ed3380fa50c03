/** Facts that the provider's public pages omit or state differently over time. All of them are here, so that they are easy to correct. */

/** Default version of the API of the provider. */
export const defaultApiVersion = "v27.0"

export const defaultBaseUrl = "https://graph.facebook.com"

/** Hosts, with everything below them, that the provider hands out files from. */
export const defaultMediaHosts: ReadonlyArray<string> = ["fbsbx.com", "fbcdn.net", "whatsapp.net", "facebook.com"]

/** A message with one of these values of `message_status` is reviewed before it is sent. */
export const heldStatuses: ReadonlySet<string> = new Set(["held_for_quality_assessment", "paused"])

/** The values of a native opt-out. */
export const preferenceValues: ReadonlyMap<string, "stop" | "resume"> = new Map([
  ["stop", "stop"],
  ["resume", "resume"]
])

/** Meanings of template events beyond the documented ones; `null` leaves the status unchanged. */
export const undocumentedTemplateEvents: ReadonlyMap<string, "paused" | "pending" | null> = new Map([
  ["PAUSED", "paused"],
  ["FLAGGED", null],
  ["IN_APPEAL", "pending"],
  ["PENDING", "pending"],
  ["PENDING_DELETION", null]
])

/** How fast a number may send, by the name that the provider gives its level. */
export const throughputLevels: ReadonlyMap<string, number> = new Map([
  ["STANDARD", 80],
  ["HIGH", 1_000]
])

/** What an account event means for sending; every other event means nothing for it. */
export const accountEvents: ReadonlyMap<string, "stopped" | "restored"> = new Map([
  ["ACCOUNT_RESTRICTION", "stopped"],
  ["ACCOUNT_DELETED", "stopped"],
  ["PARTNER_REMOVED", "stopped"],
  ["PARTNER_APP_UNINSTALLED", "stopped"]
])

/** What the state of a ban means for sending. */
export const banStates: ReadonlyMap<string, "stopped" | "restored"> = new Map([
  ["DISABLE", "stopped"],
  ["SCHEDULE_FOR_DISABLE", "stopped"],
  ["REINSTATE", "restored"]
])

/** Messages that change others. None of them changes one of the same type. */
export const changeTypes: ReadonlySet<string> = new Set(["edit", "revoke"])

/** Placeholder for a message that only reports the first opening of the chat. */
export const welcomeText = "The chat was opened for the first time."

/** A message was read. A voice message that was played counts as read. */
export const readStatuses: ReadonlySet<string> = new Set(["read", "played"])
