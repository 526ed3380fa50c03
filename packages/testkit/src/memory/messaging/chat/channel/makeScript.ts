import { Effect } from "effect"
import { ChatScript } from "./ChatScript.ts"
import { keyOf, type Provider, refusedFor } from "./provider.ts"
import { deliver } from "./deliveries.ts"
import { healthOf, setDetails } from "./numbers.ts"
import { addFile } from "./media.ts"

/** The provider as test scripts change and read it. */
export const makeScript = (provider: Provider) => {
  const {
    sent,
    marked,
    typed,
    closed,
    revoked,
    forgotten,
    codes,
    links,
    templates,
    health,
    pins,
    tokens,
    callbacks,
    numbers,
    closedAccounts,
    codesSent,
    steps
  } = provider
  return ChatScript.of({
    sent: Effect.sync(() => [...sent]),
    read: Effect.sync(() => [...marked]),
    typed: Effect.sync(() => [...typed]),
    next: (what, to) =>
      Effect.sync(() => {
        provider.script = [...provider.script, { what, to }]
      }),
    setWindow: (to, open) => Effect.sync(() => void (open ? closed.delete(to) : closed.add(to))),
    setHealth: (phoneId, changed) =>
      Effect.sync(() => void health.set(phoneId, { ...healthOf(provider, phoneId), ...changed })),
    setDetails: (phoneId, details) => Effect.sync(() => setDetails(provider, phoneId, details)),
    setPin: (phoneId, pin) => Effect.sync(() => void pins.set(phoneId, pin)),
    pinOf: (phoneId) => Effect.sync(() => pins.get(phoneId) ?? null),
    setNumbers: (businessId, phoneIds) => Effect.sync(() => void numbers.set(businessId, phoneIds)),
    setCallback: (businessId, url) => Effect.sync(() => void callbacks.set(businessId, url)),
    setCode: (phoneId, code) => Effect.sync(() => void codesSent.set(phoneId, code)),
    closeAccount: (accessToken, businessId) =>
      Effect.sync(() => void closedAccounts.add(keyOf(accessToken, businessId))),
    setToken: (accessToken, token) => Effect.sync(() => void tokens.set(accessToken, token)),
    refuseStep: (reason, code) => Effect.sync(() => void (provider.refusedStep = refusedFor(reason, code))),
    steps: Effect.sync(() => [...steps]),
    revoke: (accessToken) => Effect.sync(() => void revoked.add(accessToken)),
    forget: (phoneId) => Effect.sync(() => void forgotten.add(phoneId)),
    addFile: (bytes, mimeType) => Effect.sync(() => addFile(provider, bytes, mimeType)),
    serveLink: (link, bytes, mimeType) => Effect.sync(() => void links.set(link, { bytes, mimeType })),
    addSignupCode: (code, accessToken) => Effect.sync(() => void codes.set(code, accessToken)),
    keepTemplate: (template) =>
      Effect.sync(() => void templates.set(keyOf(template.name, template.language), template)),
    decide: (name, language, status) =>
      Effect.sync(() => {
        const kept = templates.get(keyOf(name, language))
        if (kept !== undefined) templates.set(keyOf(name, language), { ...kept, status })
      }),
    deliver
  })
}
