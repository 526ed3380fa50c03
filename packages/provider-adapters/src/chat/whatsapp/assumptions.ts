/**
 * What the provider's public pages did not say at the time of writing, or say differently from year to year.
 * Everything of that sort is here, so that it is easy to set right.
 */

/** Default version of the API of the provider. */
export const defaultApiVersion = "v24.0"

export const defaultBaseUrl = "https://graph.facebook.com"

/** Hosts, with everything below them, that the provider hands out files from. */
export const defaultMediaHosts: ReadonlyArray<string> = ["fbsbx.com", "fbcdn.net", "whatsapp.net", "facebook.com"]

/** A message is looked at before it goes when its `message_status` is one of these. */
export const heldStatuses: ReadonlySet<string> = new Set(["held_for_quality_assessment", "paused"])

/** The values of a native opt-out. */
export const preferenceValues: ReadonlyMap<string, "stop" | "resume"> = new Map([
  ["stop", "stop"],
  ["resume", "resume"]
])

/** What a template event means, beyond those that are documented; `null` says nothing about the status. */
export const undocumentedTemplateEvents: ReadonlyMap<string, "paused" | "pending" | null> = new Map([
  ["PAUSED", "paused"],
  ["FLAGGED", null],
  ["IN_APPEAL", "pending"],
  ["PENDING", "pending"],
  ["PENDING_DELETION", null]
])

/** Refusals that were met, but not read about. */
export const undocumentedRefusals = {
  refreshTemplate: [132_015, 132_016],
  retry: [131_016],
  /** The number is made faster at the moment, which takes up to a minute. */
  slowDown: [131_057]
} as const

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

/** Messages that change others. None of them changes one of its own sort. */
export const changeTypes: ReadonlySet<string> = new Set(["edit", "revoke"])

/** What stands for a message that only says that the chat was opened for the first time. */
export const welcomeText = "The chat was opened for the first time."

/** A message was read; a voice message that was listened to was read thereby. */
export const readStatuses: ReadonlySet<string> = new Set(["read", "played"])
