import pytest
@pytest.mark.django_db
def test_x(ada, sign_in):
    assert sign_in(ada).get("/healthz").status_code == 200
