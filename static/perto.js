// Offers "perto de mim" where the device can tell where it is, and asks only when the button is pressed.
document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("perto");
  const failed = document.getElementById("perto-falhou");
  if (!form || !navigator.geolocation) return;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    failed.hidden = true;
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        form.elements.lat.value = coords.latitude.toFixed(4);
        form.elements.lon.value = coords.longitude.toFixed(4);
        form.submit();
      },
      () => { failed.hidden = false; },
      { timeout: 15000, maximumAge: 60000 },
    );
  });
});
