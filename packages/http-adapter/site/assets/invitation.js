import { all, need } from "./dom.js"
import { startTheme } from "./theme.js"

const key = "parley.invitation"

const form = need("[data-form]")
const problem = need("[data-problem]")
const submit = need("[data-submit]")

/** @param {string} name */
const input = (name) => {
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
  problem.hidden = true
  for (const fault of all("[data-fault]")) {
    fault.textContent = ""
    input(fault.dataset.fault ?? "").removeAttribute("aria-invalid")
  }
}

/** @param {string} message */
const showProblem = (message) => {
  problem.textContent = message
  problem.hidden = false
}

/** @param {{ detail?: string, errors?: ReadonlyArray<{ pointer: string, message: string }> }} answer */
const refuse = (answer) => {
  const shown = (answer.errors ?? []).filter(({ message, pointer }) => !showFault(pointer.slice(1), message))
  const isAllShown = (answer.errors ?? []).length > 0 && shown.length === 0
  if (!isAllShown)
    showProblem(
      [answer.detail ?? "The invitation could not be accepted.", ...shown.map(({ message }) => message)].join(" ")
    )
  document.querySelector("[aria-invalid]")?.closest(".field")?.querySelector("input")?.focus()
}

/** @param {{ user: { name: string, email: string } }} answer */
const welcome = (answer) => {
  sessionStorage.removeItem(key)
  need("[data-invitation-form]").hidden = true
  need("h1").textContent = "You are in"
  need("[data-welcome]").textContent = `Welcome, ${answer.user.name}. You are a member of the organization now.`
  need("[data-email]").textContent = answer.user.email
  const done = need("[data-invitation-done]")
  done.hidden = false
  done.focus()
}

const faultless = () => {
  clearFaults()
  const name = input("name").value.trim()
  const password = input("password").value
  const faults = [
    ...(name === "" ? [["name", "Say how you are called."]] : []),
    ...(password.length < 8 ? [["password", "A password has at least 8 characters."]] : [])
  ]
  for (const [field = "", message = ""] of faults) showFault(field, message)
  const [first] = faults
  if (first !== undefined) input(first[0] ?? "name").focus()
  return first === undefined
}

/** @param {string} token */
const accept = async (token) => {
  if (!faultless()) return
  submit.setAttribute("disabled", "")
  try {
    const response = await fetch("/api/v1/auth/invitations/accept", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, name: input("name").value.trim(), password: input("password").value })
    })
    const answer = await response.json()
    if (response.ok) welcome(answer)
    else refuse(answer)
  } catch {
    showProblem("The service could not be reached. Try again in a moment.")
  } finally {
    submit.removeAttribute("disabled")
  }
}

const start = () => {
  startTheme()
  const token = sessionStorage.getItem(key) ?? ""
  need("[data-invitation-form]").hidden = token === ""
  need("[data-invitation-missing]").hidden = token !== ""
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void accept(token)
  })
}

start()
