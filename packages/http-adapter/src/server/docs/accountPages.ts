import { html } from "./html.ts"
import { brand, head, type Scripts, themeButton } from "./page.ts"

export const invitationScript = "invitation.js"

/** Page for the link of an invitation. */
export const invitationPage = (scripts: Scripts): string =>
  html`<!doctype html>
    <html lang="en">
      ${head("Accept your invitation · Parley", "Join an organization on Parley.", scripts)}
      <body data-page="sheet">
        <header class="top top-plain">
          ${brand}
          <div class="top-end">${themeButton}</div>
        </header>
        <main id="content" class="sheet">
          <h1>Accept your invitation</h1>
          <div data-invitation-form>
            <p>
              You are invited to an organization on Parley. If your address already has an account, enter its password;
              otherwise choose one. An invitation by email verifies an unverified account, and your choice becomes its
              password.
            </p>
            <noscript
              ><p class="notice">
                This form needs JavaScript, because browsers do not send the part of the link with the invitation.
              </p></noscript
            >
            <div class="notice notice-warning" role="alert" data-problem hidden></div>
            <p data-known hidden>
              Your address already has an account with another password.
              <a href="/password/reset">Reset the password by email</a>, then open the link of the invitation again.
            </p>
            <form class="form" novalidate data-form>
              <div class="field">
                <label for="name">Your name</label
                ><input
                  id="name"
                  name="name"
                  autocomplete="name"
                  maxlength="200"
                  required
                  aria-describedby="name-fault"
                />
                <p class="fault" id="name-fault" data-fault="name"></p>
              </div>
              <div class="field">
                <label for="password">Password</label
                ><input
                  id="password"
                  name="password"
                  type="password"
                  autocomplete="new-password"
                  minlength="8"
                  maxlength="256"
                  required
                  aria-describedby="password-hint password-fault"
                />
                <p class="hint" id="password-hint">
                  At least 8 characters; 15 or more are better. Common passwords are refused.
                </p>
                <p class="fault" id="password-fault" data-fault="password"></p>
              </div>
              <button class="button button-main" data-submit>Join</button>
            </form>
          </div>
          <div data-invitation-done hidden tabindex="-1">
            <p class="lead" data-welcome></p>
            <p>You can log in now with <strong data-email></strong> and your password.</p>
            <p><a class="button button-main" href="/docs/guides/quick-start">Read the quick start</a></p>
          </div>
          <div data-invitation-missing hidden>
            <p class="notice notice-warning">
              This address contains no invitation. Open the complete link of the email, or request a new invitation.
            </p>
          </div>
        </main>
      </body>
    </html> `.source

export const passwordScript = "password.js"

/** The page that the link to a new password opens. Without a link, it asks for one. */
export const passwordPage = (scripts: Scripts): string =>
  html`<!doctype html>
    <html lang="en">
      ${head("Your password · Parley", "Choose a new password for Parley.", scripts)}
      <body data-page="sheet">
        <header class="top top-plain">
          ${brand}
          <div class="top-end">${themeButton}</div>
        </header>
        <main id="content" class="sheet">
          <h1>Your password</h1>
          <noscript
            ><p class="notice">
              This form needs JavaScript, because browsers do not send the part of the link with the secret.
            </p></noscript
          >
          <div class="notice notice-warning" role="alert" data-problem hidden></div>
          <div data-ask hidden>
            <p>Enter the address of your login. If it has an account, Parley sends a password reset link there.</p>
            <form class="form" novalidate data-ask-form>
              <div class="field">
                <label for="email">E-mail address</label
                ><input
                  id="email"
                  name="email"
                  type="email"
                  autocomplete="username"
                  maxlength="254"
                  required
                  aria-describedby="email-fault"
                />
                <p class="fault" id="email-fault" data-fault="email"></p>
              </div>
              <button class="button button-main" data-submit>Send me a link</button>
            </form>
          </div>
          <div data-asked hidden tabindex="-1">
            <p class="lead">If the address has an account, Parley has sent an email.</p>
            <p>The link works once, for 60 minutes. If no email arrives, check the spam folder and the address.</p>
            <p><a href="/password/reset">Request another link</a></p>
          </div>
          <div data-choose hidden>
            <p>All your sessions end. Log in again with the new password.</p>
            <form class="form" novalidate data-choose-form>
              <div class="field">
                <label for="password">New password</label
                ><input
                  id="password"
                  name="password"
                  type="password"
                  autocomplete="new-password"
                  minlength="8"
                  maxlength="256"
                  required
                  aria-describedby="password-hint password-fault"
                />
                <p class="hint" id="password-hint">
                  At least 8 characters; 15 or more are better. Common passwords are refused.
                </p>
                <p class="fault" id="password-fault" data-fault="password"></p>
              </div>
              <button class="button button-main" data-submit>Set the password</button>
            </form>
          </div>
          <div data-done hidden tabindex="-1">
            <p class="lead">You can now log in with it.</p>
            <p>All earlier sessions have ended.</p>
            <p><a class="button button-main" href="/docs">Read the documentation</a></p>
          </div>
        </main>
      </body>
    </html> `.source
