import { onStanding } from "./session.js"

/**
 * @typedef {{ id: string, name: string }} Organization
 * @typedef {object} Credentials
 * @property {string} token
 * @property {string | null} refreshToken
 * @property {number} expiresAt when the token has to be renewed, in milliseconds
 * @property {string} name whose the token is
 * @property {ReadonlyArray<Organization>} organizations those known to choose from
 * @property {string} organizationId
 * @typedef {{ status: number, body: any }} Answer
 */

/**
 * Held in memory only: nothing of it is stored, and a reload forgets it. The session of the docs is another one, which cannot call the API.
 *
 * @type {Credentials | null}
 */
let current = null

/** @type {Set<(credentials: Credentials | null) => void>} */
const listeners = new Set()

let readersOrganization = ""

/** @param {Credentials | null} next */
const become = (next) => {
  current = next
  for (const listener of listeners) listener(current)
}

/** What calls are made with now. */
export const credentials = () => current

/**
 * Calls the listener now and on every change of who calls.
 *
 * @param {(credentials: Credentials | null) => void} listener
 */
export const onCredentials = (listener) => {
  listeners.add(listener)
  listener(current)
}

/** @param {string} path @param {RequestInit} request @returns {Promise<Answer>} */
const ask = async (path, request) => {
  const response = await fetch(path, { ...request, cache: "no-store", credentials: "omit" })
  return { status: response.status, body: await response.json().catch(() => null) }
}

/** @param {string} path @param {object} body */
const post = (path, body) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })

/** @param {Answer} answer */
const reasonOf = ({ body }) => String(body?.detail ?? body?.title ?? "The call failed.")

const unreachable = "The service is not reachable."

/** @param {ReadonlyArray<Organization>} organizations */
const firstOf = (organizations) =>
  organizations.find(({ id }) => id === readersOrganization)?.id ?? organizations[0]?.id ?? readersOrganization

/**
 * Signs in; answers with why not, or with null.
 *
 * @param {string} email
 * @param {string} password
 */
export const signIn = async (email, password) => {
  try {
    const answer = await post("/api/v1/auth/login", { email, password })
    if (answer.status !== 200) return reasonOf(answer)
    const { accessToken, expiresAt, organizations, refreshToken, user } = answer.body
    become({
      token: accessToken,
      refreshToken,
      expiresAt: Date.parse(expiresAt),
      name: user.name,
      organizations,
      organizationId: firstOf(organizations)
    })
    return null
  } catch {
    return unreachable
  }
}

/**
 * Takes a token that the reader has; answers with why not, or with null.
 *
 * @param {string} token
 */
export const takeToken = async (token) => {
  try {
    const answer = await ask("/api/v1/auth/me", { headers: { authorization: `Bearer ${token}` } })
    if (answer.status === 401) return reasonOf(answer)
    const found = answer.status === 200 ? answer.body : null
    const organizations = found?.organization == null ? [] : [found.organization]
    become({
      token,
      refreshToken: null,
      expiresAt: Infinity,
      name: found?.user?.name ?? "the holder of the token",
      organizations,
      organizationId: firstOf(organizations)
    })
    return null
  } catch {
    return unreachable
  }
}

/** @param {string} organizationId */
export const chooseOrganization = (organizationId) => {
  if (current !== null && current.organizationId !== organizationId) become({ ...current, organizationId })
}

/** Forgets the token, and ends the session that was begun here. */
export const forget = () => {
  const last = current
  become(null)
  if (last?.refreshToken == null) return
  void ask("/api/v1/auth/logout", { method: "POST", headers: { authorization: `Bearer ${last.token}` } }).catch(
    () => null
  )
}

const refresh = async () => {
  const { body, status } = await post("/api/v1/auth/refresh", { refreshToken: current?.refreshToken })
  if (status !== 200) become(null)
  else if (current !== null) {
    become({
      ...current,
      token: body.accessToken,
      refreshToken: body.refreshToken,
      expiresAt: Date.parse(body.expiresAt)
    })
  }
}

/** @type {Promise<void> | null} */
let refreshing = null

/** Renews a token that is about to end, once for all calls that wait for it: a refresh token is good for one exchange. */
export const renew = async () => {
  if (current?.refreshToken == null || current.expiresAt - Date.now() > 30_000) return
  refreshing ??= refresh().finally(() => (refreshing = null))
  await refreshing
}

onStanding(({ reader }) => (readersOrganization = reader?.organization.id ?? ""))
