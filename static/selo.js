// Says in words that a part of the page could not be fetched; pages work without this file.
document.addEventListener("DOMContentLoaded", () => {
  const alertBox = document.getElementById("alerta");
  const show = (event) => {
    const status = event.detail?.ctx?.response?.status ?? 0;
    if (alertBox && (status === 0 || status >= 500)) alertBox.hidden = false;
  };
  document.addEventListener("htmx:error", show);
  document.addEventListener("htmx:response:error", show);
  document.addEventListener("htmx:before:request", () => { if (alertBox) alertBox.hidden = true; });
});
