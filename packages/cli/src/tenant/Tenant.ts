import type { ContactImport, ImportRequest, OrganizationId, TransferFormat } from "@parley/domain"
import type { ParleyClient } from "@parley/http-adapter/client"
import type { Effect, Option, Stream } from "effect"
import type { Failure } from "../console/Failure.ts"

/** Calls that commands use, by area and name of the API contract. */
interface Asked {
  readonly analytics: "agents" | "broadcasts" | "costs" | "heatmap" | "live" | "overview" | "series"
  readonly audit: "list"
  readonly automations:
    | "create"
    | "delete"
    | "disable"
    | "enable"
    | "get"
    | "getRun"
    | "list"
    | "listRuns"
    | "settings"
    | "test"
    | "update"
    | "updateSettings"
  readonly broadcasts:
    | "cancel"
    | "create"
    | "duplicate"
    | "exportRecipients"
    | "get"
    | "list"
    | "pause"
    | "preview"
    | "recipients"
    | "report"
    | "resume"
    | "retry"
    | "schedule"
    | "send"
    | "simulate"
    | "test"
    | "unschedule"
    | "update"
  readonly chatAccounts: "changePin" | "check" | "deregister" | "list" | "onboarding" | "register" | "subscribe"
  readonly commerce:
    | "getCart"
    | "getCustomer"
    | "getOrder"
    | "getProduct"
    | "linkCustomer"
    | "listCarts"
    | "listCustomers"
    | "listOrders"
    | "listProducts"
    | "ofContact"
    | "ofConversation"
  readonly contacts: "list" | "listRuns"
  readonly contactTransfer: "export" | "getImport" | "importErrors"
  readonly conversations: "get" | "list" | "unread"
  readonly events: "list" | "listTypes"
  readonly jobs: "get" | "list"
  readonly members: "availability" | "changeRole" | "invite" | "list" | "remove" | "setAvailability"
  readonly messageTemplates:
    | "create"
    | "createFromLibrary"
    | "delete"
    | "edit"
    | "get"
    | "library"
    | "list"
    | "submit"
    | "sync"
    | "unpause"
  readonly messages: "list" | "search" | "send"
  readonly pluginCalls: "complete"
  readonly plugins:
    | "disable"
    | "enable"
    | "get"
    | "install"
    | "list"
    | "listDeliveries"
    | "rotateSecret"
    | "uninstall"
    | "update"
    | "upgrade"
  readonly privacyRequests: "complete" | "export" | "get" | "list"
  readonly schedules: "create" | "delete" | "get" | "list" | "status" | "update"
  readonly storeConnections:
    | "authorize"
    | "complete"
    | "create"
    | "delete"
    | "get"
    | "list"
    | "listSkipped"
    | "sync"
    | "update"
  readonly tokens: "adopt" | "issue" | "list" | "revoke"
  readonly webhookSubscriptions:
    | "create"
    | "delete"
    | "disable"
    | "enable"
    | "get"
    | "getDelivery"
    | "list"
    | "listDeliveries"
    | "redeliver"
    | "replay"
    | "rotateSecret"
    | "test"
    | "update"
  readonly workflows:
    | "archive"
    | "cancelRun"
    | "create"
    | "delete"
    | "draw"
    | "enroll"
    | "migrateRuns"
    | "get"
    | "getRun"
    | "list"
    | "listRuns"
    | "listVersions"
    | "pause"
    | "publish"
    | "resume"
    | "startRun"
    | "update"
    | "validate"
}

type Client = ParleyClient.Client

type Call<Method> = Method extends (...args: infer Args) => Effect.Effect<infer A, infer _E>
  ? (...args: Args) => Effect.Effect<A, Failure>
  : never

/** Calls in one organization, with the requests and answers of the contract. */
export type Calls = {
  readonly [Area in keyof Asked]: {
    readonly [Name in Asked[Area] & keyof Client[Area]]: Call<Client[Area][Name]>
  }
}

/** A file of contacts, and its format. */
export interface ContactsFile {
  readonly bytes: Stream.Stream<Uint8Array>
  readonly format: TransferFormat
}

/** A row of the event feed. */
export type Followed = Effect.Success<ReturnType<Client["events"]["list"]>>["data"][number]

/** One organization on a database or on a service. Commands are written against this interface. */
export interface Tenant extends Calls {
  /** Name that users type. */
  readonly name: string
  readonly id: OrganizationId
  /** Streams events: after a cursor, since a time, or from now on. The stream ends only with a failure. */
  readonly follow: (from: ParleyClient.FollowFrom) => Stream.Stream<Followed, Failure>
  /** Calls of the same organization as one of its members, because some actions require a member. */
  readonly as: (member: Option.Option<string>) => Effect.Effect<Calls, Failure>
  readonly importContacts: (
    file: ContactsFile,
    request: Pick<ImportRequest, "country" | "createTags" | "dryRun" | "map" | "onExisting" | "strict" | "tagSeparator">
  ) => Effect.Effect<ContactImport, Failure>
  /** Runs the background work that a command waits for, if no service runs it. */
  readonly working: Effect.Effect<never>
}
