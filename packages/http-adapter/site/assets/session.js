/**
 * @typedef {{ feature: string, allowed: boolean, availableIn: ReadonlyArray<string> }} Feature
 * @typedef {{ limit: string, allowed: boolean, used: number, max: number, resetsAt: string | null, plans: Record<string, number> }} Limit
 * @typedef {{ name: string, email: string }} User
 * @typedef {{ id: string, name: string, plan: string }} Organization
 * @typedef {{ plan: string, features: ReadonlyArray<Feature>, limits: ReadonlyArray<Limit> }} Entitlements
 * @typedef {{ user: User, organization: Organization, entitlements: Entitlements }} Reader
 * @typedef {{ token: string, expiresAt: string }} Session
 * @typedef {"none" | "refused" | "ended" | "left" | "unreachable"} Why
 * @typedef {{ reader: Reader, expiresAt: string } | { reader: null, why: Why, detail: string }} Standing
 */

const codeKey = "parley.docs.code"
const sessionKey = "parley.docs.session"

/** @type {Standing | null} */
let standing = null

/** @type {Set<(standing: Standing) => void>} */
const listeners = new Set()

/** @type {ReturnType<typeof setTimeout> | undefined} */
let ending

/** @param {Standing} next */
const become = (next) => {
  standing = next
  document.documentElement.dataset.session = next.reader === null ? "public" : "signed-in"
  for (const listener of listeners) listener(next)
}

/**
 * @param {Why} why
 * @param {string} [detail]
 */
const becomePublic = (why, detail = "") => {
  clearTimeout(ending)
  sessionStorage.removeItem(sessionKey)
  become({ reader: null, why, detail })
}

/** @param {Response} response */
const problemOf = async (response) => {
  const problem = await response.json().catch(() => ({}))
  return { code: String(problem.code ?? ""), detail: String(problem.detail ?? "") }
}

/** @returns {Session | null} */
const storedSession = () => {
  try {
    return JSON.parse(sessionStorage.getItem(sessionKey) ?? "null")
  } catch {
    return null
  }
}

/** @param {string} code */
const exchange = async (code) => {
  const response = await fetch("/api/v1/docs/exchange", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code })
  })
  if (!response.ok) {
    const { code: problem, detail } = await problemOf(response)
    becomePublic(problem === "docs_code_invalid" ? "refused" : "unreachable", detail)
    return null
  }
  const answer = await response.json()
  const session = { token: answer.sessionToken, expiresAt: answer.expiresAt }
  sessionStorage.setItem(sessionKey, JSON.stringify(session))
  return session
}

/** @param {Session} session */
const read = async (session) => {
  const response = await fetch("/api/v1/docs/session", { headers: { authorization: `Bearer ${session.token}` } })
  if (response.ok) {
    become({ reader: await response.json(), expiresAt: session.expiresAt })
    const left = Date.parse(session.expiresAt) - Date.now()
    clearTimeout(ending)
    ending = setTimeout(() => becomePublic("ended"), Math.max(0, left))
  } else {
    const { detail } = await problemOf(response)
    becomePublic(response.status < 500 ? "ended" : "unreachable", detail)
  }
}

/** Signs in with the code that came in the address, or goes on with the session of this tab. */
const start = async () => {
  const code = sessionStorage.getItem(codeKey)
  sessionStorage.removeItem(codeKey)
  try {
    const session = code === null ? storedSession() : await exchange(code)
    if (session !== null) await read(session)
    else if (standing === null) becomePublic("none")
  } catch {
    becomePublic("unreachable")
  }
}

/** Ends the session in this tab. */
export const leave = () => becomePublic("left")

/**
 * Calls the listener now, if it is known who reads, and on every change of it.
 *
 * @param {(standing: Standing) => void} listener
 */
export const onStanding = (listener) => {
  listeners.add(listener)
  if (standing !== null) listener(standing)
}

/**
 * What the reader's plan says of a feature; null to somebody who is not signed in.
 *
 * @param {Standing} standing
 * @param {string} feature
 */
export const entitlementTo = (standing, feature) =>
  standing.reader?.entitlements.features.find((entitlement) => entitlement.feature === feature) ?? null

/** Begins, once the page listens. */
export const startSession = () => {
  addEventListener("hashchange", () => {
    const code = /^#code=(.*)$/s.exec(location.hash)?.[1]
    if (code === undefined) return
    history.replaceState(null, "", location.pathname + location.search)
    sessionStorage.setItem(codeKey, code)
    standing = null
    void start()
  })
  void start()
}
