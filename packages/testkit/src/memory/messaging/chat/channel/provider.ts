import {
  ChannelRefused,
  type ProviderConnection,
  type NumberHealth,
  OnboardingRefused,
  type OnboardingReason,
  type ProviderTemplate,
  type Remedy,
  type TokenDetails
} from "@parley/domain/messaging"
import { Effect, Redacted } from "effect"
import type { NextSend, SentMessage } from "./ChatScript.ts"

export const refused = (code: number, remedy: Remedy, reason: string, retryAfterMillis: number | null = null) =>
  new ChannelRefused({ code, remedy, reason, retryAfterMillis })

export const refusedFor = (reason: OnboardingReason, code: number) =>
  new OnboardingRefused({ reason, providerCode: code, providerReason: `Refused with ${code}.`, retryAt: null })

/** State of the simulated provider. */
export interface Provider {
  readonly sent: Array<SentMessage>
  readonly marked: Array<string>
  readonly typed: Array<string>
  readonly closed: Set<string>
  readonly revoked: Set<string>
  readonly forgotten: Set<string>
  readonly codes: Map<string, string>
  readonly files: Map<string, { readonly bytes: Uint8Array; readonly mimeType: string }>
  readonly links: Map<string, { readonly bytes: Uint8Array; readonly mimeType: string }>
  readonly templates: Map<string, ProviderTemplate>
  readonly health: Map<string, NumberHealth>
  readonly pins: Map<string, string>
  readonly tokens: Map<string, TokenDetails>
  readonly callbacks: Map<string, string | null>
  readonly numbers: Map<string, ReadonlyArray<string>>
  readonly closedAccounts: Set<string>
  readonly codesSent: Map<string, string>
  readonly steps: Array<string>
  refusedStep: OnboardingRefused | null
  script: ReadonlyArray<{ readonly what: NextSend; readonly to: string | undefined }>
  count: number
}

export const makeProvider = (): Provider => ({
  sent: [],
  marked: [],
  typed: [],
  closed: new Set(),
  revoked: new Set(),
  forgotten: new Set(),
  codes: new Map(),
  files: new Map(),
  links: new Map(),
  templates: new Map(),
  health: new Map(),
  pins: new Map(),
  tokens: new Map(),
  callbacks: new Map(),
  numbers: new Map(),
  closedAccounts: new Set(),
  codesSent: new Map(),
  steps: [],
  refusedStep: null,
  script: [],
  count: 0
})

/** Returns a new id of the provider. */
export const nextId = (provider: Provider, prefix: string) =>
  `${prefix}${String((provider.count += 1)).padStart(12, "0")}`

/** Key of a template, or of an account of a token. */
export const keyOf = (name: string, language: string) => JSON.stringify([name, language])

/** Fails when the access token of the connection is revoked. */
export const authorized = ({ revoked }: Provider, line: ProviderConnection) =>
  revoked.has(Redacted.value(line.accessToken))
    ? Effect.fail(refused(190, "reauthorize", "The access token has expired."))
    : Effect.void
