import { fill, h, icon, need } from "./dom.js"
import { leave, onStanding } from "./session.js"

/** @typedef {import("./session.js").Reader} Reader */

/** @param {string} name */
const initials = (name) =>
  name
    .split(/\s+/)
    .map((word) => word[0] ?? "")
    .filter((_, index, letters) => index === 0 || index === letters.length - 1)
    .join("")
    .toUpperCase()

/** @param {string} time */
const clock = (time) => new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date(time))

/** @param {Reader} reader @param {string} expiresAt */
const menu = ({ entitlements, organization, user }, expiresAt) => {
  const end = h("button", { type: "button", class: "button" }, "Leave")
  end.addEventListener("click", leave)
  return h(
    "div",
    { id: "account-menu", popover: "auto", class: "menu" },
    h("p", { class: "menu-name" }, user.name),
    h("p", { class: "menu-detail" }, user.email),
    h(
      "dl",
      {},
      h("dt", {}, "Organization"),
      h("dd", {}, organization.name),
      h("dt", {}, "Id"),
      h("dd", {}, h("code", {}, organization.id)),
      h("dt", {}, "Plan"),
      h("dd", {}, entitlements.plan),
      h("dt", {}, "Signed in here until"),
      h("dd", {}, clock(expiresAt))
    ),
    end
  )
}

/** @param {Reader} reader @param {string} expiresAt */
const signedIn = (reader, expiresAt) => [
  h(
    "button",
    {
      type: "button",
      class: "account-button",
      popovertarget: "account-menu",
      "aria-label": `Signed in as ${reader.user.name}, ${reader.organization.name}, plan ${reader.entitlements.plan}`
    },
    h("span", { class: "avatar", "aria-hidden": "true" }, initials(reader.user.name)),
    h(
      "span",
      { class: "account-words", "aria-hidden": "true" },
      h("span", { class: "account-name" }, reader.organization.name),
      h("span", { class: "plan-tag" }, reader.entitlements.plan)
    )
  ),
  menu(reader, expiresAt)
]

const notices = {
  refused: {
    title: "This link was already used, or has expired.",
    text: "A docs link works once, within 60 seconds. Request a new one in the same way. You can read all pages without it."
  },
  ended: {
    title: "Your session on these pages has ended.",
    text: "It lasts ten minutes. You can still read all pages. A new docs link shows the marks of your plan again."
  },
  unreachable: {
    title: "Your identity could not be determined.",
    text: "The API returned an unexpected answer. You can still read all pages."
  }
}

/** @param {import("./session.js").Why} why @param {string} detail */
const showNotice = (why, detail) => {
  const notice = document.querySelector("[data-notice]")
  if (!(notice instanceof HTMLElement)) return
  const text = why === "none" || why === "left" ? undefined : notices[why]
  notice.hidden = text === undefined
  if (text === undefined) return
  const close = h("button", { type: "button", class: "icon-button", "aria-label": "Close this notice" }, icon("close"))
  close.addEventListener("click", () => (notice.hidden = true))
  const words = why === "unreachable" && detail !== "" ? `${detail} You can still read all pages.` : text.text
  notice.replaceChildren(
    icon("info"),
    h("div", {}, h("p", { class: "notice-title" }, text.title), h("p", {}, words)),
    close
  )
}

/** Shows the reader in the header and reports a link that did not work. */
export const startAccount = () =>
  onStanding((standing) => {
    const slot = need("[data-account]")
    if (standing.reader === null) {
      slot.replaceChildren(h("a", { class: "sign-in", href: "/docs#sign-in" }, "Sign in"))
      showNotice(standing.why, standing.detail)
    } else {
      slot.replaceChildren()
      fill(slot, signedIn(standing.reader, standing.expiresAt))
      showNotice("none", "")
    }
  })
