import type { SimulatedNumber } from "../Options.ts"

export const numberStatuses = [
  "CONNECTED",
  "PENDING",
  "UNVERIFIED",
  "DISCONNECTED",
  "FLAGGED",
  "RESTRICTED",
  "RATE_LIMITED",
  "BANNED",
  "MIGRATED",
  "DELETED"
] as const
export type NumberStatus = (typeof numberStatuses)[number]

export const nameStatuses = [
  "APPROVED",
  "AVAILABLE_WITHOUT_REVIEW",
  "DECLINED",
  "PENDING_REVIEW",
  "EXPIRED",
  "NONE"
] as const
export type NameStatus = (typeof nameStatuses)[number]

/** Address that replaces the app's address for some webhook fields. */
export interface CallbackOverride {
  readonly url: string
  readonly verifyToken: string
}

/** State of a business phone number at the provider. */
export interface NumberState {
  readonly phoneId: string
  status: NumberStatus
  codeVerification: "VERIFIED" | "NOT_VERIFIED" | "EXPIRED"
  platformType: "CLOUD_API" | "ON_PREMISE" | "NOT_APPLICABLE"
  nameStatus: NameStatus
  newName: string | null
  newNameStatus: NameStatus | null
  verifiedName: string
  quality: "GREEN" | "YELLOW" | "RED" | "NA" | "UNKNOWN"
  throughput: "STANDARD" | "HIGH" | "NOT_APPLICABLE"
  accountMode: "LIVE" | "SANDBOX"
  /** Two-step verification code. */
  pin: string | null
  /** The number also works in the WhatsApp Business app (coexistence). */
  isOnBizApp: boolean
  isOfficial: boolean
  /** Times of register and deregister calls. */
  registrationCalls: ReadonlyArray<number>
  /** Times of wrong PINs. */
  wrongPins: ReadonlyArray<number>
  /** Last code that was sent for verification. */
  verificationCode: string | null
  deletedAt: number | null
  onboardedAt: number
  override: CallbackOverride | null
  /** Coexistence synchronizations that were requested. */
  readonly syncs: Set<string>
  settings: Readonly<Record<string, unknown>>
  profile: Readonly<Record<string, unknown>>
  automation: Readonly<Record<string, unknown>> | null
  username: string | null
  commerce: { isCartEnabled: boolean; isCatalogVisible: boolean }
  readonly qrCodes: Map<string, string>
  encryptionKey: string | null
  /** User ids or phone numbers of blocked users. */
  readonly blocked: Set<string>
}

/** Number that works (`registered`), comes from a signup (`verified`) or from the API (`unverified`), or is used in the app, too. */
export type NumberStage = "registered" | "verified" | "unverified" | "coexistence"

const working = {
  status: "CONNECTED",
  codeVerification: "VERIFIED",
  platformType: "CLOUD_API",
  throughput: "STANDARD",
  nameStatus: "APPROVED",
  quality: "GREEN"
} as const

const idle = { platformType: "NOT_APPLICABLE", throughput: "NOT_APPLICABLE" } as const

const stages = {
  registered: working,
  verified: {
    ...idle,
    status: "PENDING",
    codeVerification: "VERIFIED",
    nameStatus: "AVAILABLE_WITHOUT_REVIEW",
    quality: "UNKNOWN"
  },
  unverified: {
    ...idle,
    status: "UNVERIFIED",
    codeVerification: "NOT_VERIFIED",
    nameStatus: "NONE",
    quality: "NA"
  },
  coexistence: working
} as const

const settingsOf = ({ isCallingEnabled: isEnabled = false }: SimulatedNumber) => ({
  calling: {
    status: isEnabled ? "ENABLED" : "DISABLED",
    call_icon_visibility: "DEFAULT",
    callback_permission_status: "DISABLED"
  },
  user_identity_change: { enable_identity_key_check: false },
  storage_configuration: { status: "default" }
})

/** A number at this stage. */
export const makeNumberState = (number: SimulatedNumber, stage: NumberStage, now: number): NumberState => ({
  phoneId: number.phoneId,
  ...stages[stage],
  newName: null,
  newNameStatus: null,
  verifiedName: number.verifiedName ?? "Simulated",
  quality: number.quality ?? stages[stage].quality,
  accountMode: "LIVE",
  pin: null,
  isOnBizApp: stage === "coexistence",
  isOfficial: false,
  registrationCalls: [],
  wrongPins: [],
  verificationCode: null,
  deletedAt: null,
  onboardedAt: now,
  override: null,
  syncs: new Set(),
  settings: settingsOf(number),
  profile: {},
  automation: null,
  username: null,
  commerce: { isCartEnabled: true, isCatalogVisible: true },
  qrCodes: new Map(),
  encryptionKey: null,
  blocked: new Set()
})

/** Whether webhooks and sends of the number carry identity hashes. */
export const checksIdentity = ({ settings }: NumberState): boolean => {
  const change = settings["user_identity_change"]
  return typeof change === "object" && change !== null && Reflect.get(change, "enable_identity_key_check") === true
}

const enables = ({ settings }: NumberState, key: string): boolean => {
  const calling = settings["calling"]
  return typeof calling === "object" && calling !== null && Reflect.get(calling, key) === "ENABLED"
}

/** Whether the number can call and ask for the permission to call. A new number cannot. */
export const isCallingEnabled = (state: NumberState): boolean => enables(state, "status")

/** Whether a customer who calls permits calls of the business for 7 days. */
export const permitsCallbacks = (state: NumberState): boolean => enables(state, "callback_permission_status")

/** Whether the number can send through the Cloud API. */
export const isRegistered = ({ platformType }: NumberState): boolean => platformType === "CLOUD_API"

/** Messages in a second, sent and received. */
export const throughputOf = ({ isOnBizApp, throughput }: NumberState): number => {
  if (isOnBizApp) return 20
  return throughput === "HIGH" ? 1_000 : 80
}
