import { need } from "./dom.js"
import { input, isFaultless, passwordFaults, post } from "./form.js"
import { startTheme } from "./theme.js"

const key = "parley.invitation"

/** @param {{ user: { name: string, email: string } }} answer */
const welcome = (answer) => {
  sessionStorage.removeItem(key)
  need("[data-invitation-form]").hidden = true
  need("h1").textContent = "You are in"
  need("[data-welcome]").textContent = `Welcome, ${answer.user.name}. You are now a member of the organization.`
  need("[data-email]").textContent = answer.user.email
  const done = need("[data-invitation-done]")
  done.hidden = false
  done.focus()
}

/** @param {string} token */
const accept = async (token) => {
  const name = input("name").value.trim()
  /** @type {ReadonlyArray<readonly [field: string, message: string]>} */
  const nameFaults = name === "" ? [["name", "Enter your name."]] : []
  if (!isFaultless([...nameFaults, ...passwordFaults()])) return
  need("[data-known]").hidden = true
  const answer = await post("/api/v1/auth/invitations/accept", { token, name, password: input("password").value })
  if (answer?.status === 201) welcome(answer.body)
  // The address has an account with another password, possibly set by another person.
  if (answer?.status === 401) need("[data-known]").hidden = false
}

const start = () => {
  startTheme()
  const token = sessionStorage.getItem(key) ?? ""
  need("[data-invitation-form]").hidden = token === ""
  need("[data-invitation-missing]").hidden = token !== ""
  need("[data-form]").addEventListener("submit", (event) => {
    event.preventDefault()
    void accept(token)
  })
}

start()
