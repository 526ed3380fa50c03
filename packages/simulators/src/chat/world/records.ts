import type { Misbehaviour } from "../Misbehaviour.ts"
import type { PairRate } from "../sending/PairRate.ts"

/** App user with a phone number, or with only the provider's id. */
export interface Customer {
  phone: string | null
  userId: string
  name: string
  reachable: boolean
  /** Adopted username, without the leading `@`. */
  username: string | null
  parentUserId: string | null
  /** Call permissions by number, with the end of a temporary one. */
  readonly callPermissions: Map<string, { readonly expiresAt: number | null }>
  /** Ids of the numbers whose conversation with the customer an agent of the provider holds. */
  readonly heldBy: Set<string>
  /** Times of call permission requests and of connected calls of the business, by number. */
  readonly calls: Map<string, CallUse>
  /** Ids of the numbers from which this customer stopped marketing. */
  readonly stopped: Set<string>
  /** When the window of a number closes. */
  readonly windows: Map<string, number>
  /** Pace of each number to the customer. */
  readonly paces: Map<string, PairRate>
  /** Free entry points by number: the advertisement, and the end after the first reply of the business. */
  readonly entryPoints: Map<string, { readonly at: number; until: number | null }>
  /** Marketing messages that reached the customer. */
  marketingTimes: ReadonlyArray<number>
  /** Changes when the customer registers again. */
  identityHash: string
  /** Receipt with the price, in addition to `sent`. */
  pricedReceipt: "delivered" | "read"
  isOnline: boolean
  /** Deliveries that wait for the phone. */
  readonly pending: Array<{ readonly expiresAt: number; readonly run: () => void }>
}

/** Use of calls to a customer, which the provider limits. */
export interface CallUse {
  requests: ReadonlyArray<number>
  connected: ReadonlyArray<number>
}

/** Group of a number, with the customers in it. */
export interface Group {
  readonly id: string
  readonly phoneId: string
  readonly createdAt: number
  readonly isApprovalRequired: boolean
  subject: string
  description: string | null
  inviteLink: string
  isSuspended: boolean
  readonly participants: Set<Customer>
  /** Customers whom the business removed. They cannot join again. */
  readonly removed: Set<Customer>
  /** Open requests to join, by id. */
  readonly requests: Map<string, { readonly customer: Customer; readonly at: number }>
}

/** Stored template of a business account. */
export interface KeptTemplate {
  readonly id: string
  readonly businessId: string
  readonly name: string
  readonly language: string
  category: string
  previousCategory: string | null
  correctCategory: string | null
  readonly parameterFormat: "POSITIONAL" | "NAMED"
  components: ReadonlyArray<Readonly<Record<string, unknown>>>
  status: string
  rejectedReason: string
  quality: string
  qualityAt: number
  sendTtlSeconds: number | null
  readonly libraryName: string | null
  readonly createdAt: number
  /** Times of edits while approved. */
  edits: ReadonlyArray<number>
  /** Quality pauses so far: the third disables. */
  pauses: number
  /** Paused by pacing, which only an unpause call ends. */
  isPacingPaused: boolean
}

/** File from an upload or from a message. */
export interface KeptFile {
  readonly id: string
  readonly phoneId: string
  readonly mimeType: string
  readonly filename: string | null
  readonly bytes: Uint8Array
  readonly sha256: string
  /** Uploads are stored for 30 days, files of messages for 7 days. */
  readonly expiresAt: number
}

/** Resumable upload of an app. Its handle can be the example of a template header. */
export interface KeptUpload {
  readonly id: string
  readonly appId: string
  readonly fileName: string
  readonly fileType: string
  readonly fileLength: number
  readonly handle: string
  received: ReadonlyArray<Uint8Array>
  offset: number
}

export interface Flow {
  readonly id: string
  readonly businessId: string
  name: string
  readonly categories: ReadonlyArray<string>
  status: "DRAFT" | "PUBLISHED" | "DEPRECATED"
}

/** Code of a signup, which is exchanged once for a token within 30 seconds. */
export interface SignupCode {
  readonly token: string
  readonly issuedAt: number
}

/** Call that submits a message, with its scripted outcome. */
export interface MessageCall {
  readonly at: number
  readonly phoneId: string
  readonly reference: string | null
  readonly scripted: Misbehaviour["what"] | null
}

/** An accepted message: tests look here for sent messages. */
export interface AcceptedMessage {
  readonly id: string
  readonly at: number
  readonly phoneId: string
  readonly businessId: string
  readonly to: string
  readonly type: string
  readonly reference: string | null
  readonly payload: unknown
  readonly groupId: string | null
  /** How long the provider tries to deliver it. */
  readonly ttlMillis: number
}

/** A call that was refused. */
export interface RefusedMessage {
  readonly at: number
  readonly phoneId: string
  readonly code: number
  readonly details: string
  readonly payload: unknown
}

/** A delivery with its last answer. */
export interface SentDelivery {
  readonly id: number
  readonly at: number
  readonly url: string
  readonly body: string
  readonly signature: string
  attempts: number
  status: number | null
}
