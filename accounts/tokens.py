from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import IsAuthenticated


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request):
        return None


class HasScope(IsAuthenticated):
    pass
