import { all, need } from "./dom.js"

/** @param {string} name */
export const input = (name) => {
  const element = document.getElementById(name)
  if (element instanceof HTMLInputElement) return element
  throw new Error(`The page has no field ${name}.`)
}

/** @param {string} name @param {string} message */
const showFault = (name, message) => {
  const fault = document.querySelector(`[data-fault="${CSS.escape(name)}"]`)
  if (fault === null) return false
  fault.textContent = message
  input(name).setAttribute("aria-invalid", "true")
  return true
}

const clearFaults = () => {
  need("[data-problem]").hidden = true
  for (const fault of all("[data-fault]")) {
    fault.textContent = ""
    input(fault.dataset.fault ?? "").removeAttribute("aria-invalid")
  }
}

/** @param {string} message */
const showProblem = (message) => {
  const problem = need("[data-problem]")
  problem.textContent = message
  problem.hidden = false
}

/** @param {{ detail?: string, errors?: ReadonlyArray<{ pointer: string, message: string }> }} answer */
const refuse = (answer) => {
  const shown = (answer.errors ?? []).filter(({ message, pointer }) => !showFault(pointer.slice(1), message))
  const isAllShown = (answer.errors ?? []).length > 0 && shown.length === 0
  if (!isAllShown) showProblem([answer.detail ?? "The call failed.", ...shown.map(({ message }) => message)].join(" "))
  document.querySelector("[aria-invalid]")?.closest(".field")?.querySelector("input")?.focus()
}

/**
 * Shows what is wrong with the fields; says whether nothing is.
 * @param {ReadonlyArray<readonly [field: string, message: string]>} faults
 */
export const isFaultless = (faults) => {
  clearFaults()
  for (const [field, message] of faults) showFault(field, message)
  const [first] = faults
  if (first !== undefined) input(first[0]).focus()
  return first === undefined
}

/** @returns {ReadonlyArray<readonly [field: string, message: string]>} */
export const passwordFaults = () =>
  input("password").value.length < 8 ? [["password", "A password has at least 8 characters."]] : []

/**
 * Sends the form; shows why not, if it is refused. The answer, and its status, goes to whoever asks.
 * @param {string} path @param {object} body
 * @returns {Promise<{ status: number, body: any } | null>}
 */
export const post = async (path, body) => {
  const submits = all("[data-submit]")
  for (const submit of submits) submit.setAttribute("disabled", "")
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const answer = response.status === 204 ? null : await response.json()
    if (!response.ok) refuse(answer)
    return { status: response.status, body: answer }
  } catch {
    showProblem("The service is not reachable. Try again later.")
    return null
  } finally {
    for (const submit of submits) submit.removeAttribute("disabled")
  }
}
